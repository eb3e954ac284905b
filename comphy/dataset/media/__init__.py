"""Pictures in a dataset: `video` (H.264 files) and `masks` (instance masks as run lengths)."""

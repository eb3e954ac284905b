"""Training of the detector: `augmentation`, the `trainer`, `pictures` of what it finds, and the `task` of tools/train.py."""

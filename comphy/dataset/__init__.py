"""The on-disk format of video sets: write, read, check.

Read `layout` (where things lie), `manifest`, `annotations/`, `questions` with
`question_fields`, `notes` and `submission`, then `writer`, `reader` and `frames` (frame sources). `media/` holds videos
and masks, `packs/` compact files for training, `metadata/` what describes a dataset to others, `checks/` the proof that
it is sound, `published/` readers of other datasets.
"""

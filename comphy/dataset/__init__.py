"""The on-disk format of video sets: write, read, check.

Read `layout` (where things lie), `manifest`, `annotations/`, `questions` with
`question_fields`, `notes` and `submission`, then `writer` and `frames` (frame sources). `media/` holds videos and masks,
`packs/` compact files for training, `metadata/` what describes a dataset to others, `published/` readers of CLEVRER's
files, `sources/` every kind of folder that video sets are read from, `checks/` the proof that one is sound.
"""

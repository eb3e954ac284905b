"""Renderers of clips behind one `contract`: `raytrace/` (torch) and `blender/` (Cycles), with one `look`.

`build` picks one by name; `batches` draws chosen frames of many videos for training.
"""

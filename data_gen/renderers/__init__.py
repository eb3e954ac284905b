"""Renderers of clips: `raytrace` (torch) and `blender` (Cycles), one contract."""

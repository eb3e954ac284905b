"""The drawing kit of every picture in the project: previews, puzzles, and clips of imagined motion.

Read `colors`, then `canvas` (supersampled shapes), `text` (fonts, lines, tags), `overlay` (translucent shapes over a
frame) and `files` (PNG, GIF, MP4).
"""

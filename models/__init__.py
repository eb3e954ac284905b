"""Learned models. Imports and runs without pybullet and without Blender."""

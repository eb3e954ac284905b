"""The science of the toolkit: physics, scenes, datasets. No learning and no drawing."""

__version__ = "0.1.1"

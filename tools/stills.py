#!/usr/bin/env python
"""Draw some frames of a dataset by Blender: `comphy stills`, from a checkout."""

from comphy.cli.stills import app

if __name__ == "__main__":
    app()

#!/usr/bin/env python
"""Split a checkpoint into parts, for places that limit the size of files: `comphy split-checkpoint`, from a checkout."""

from comphy.cli.split_checkpoint import app

if __name__ == "__main__":
    app()

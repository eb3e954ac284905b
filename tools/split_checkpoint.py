#!/usr/bin/env python
"""Split a checkpoint into parts: `comphy split-checkpoint`, from a checkout."""

from comphy.cli.split_checkpoint import app

if __name__ == "__main__":
    app()

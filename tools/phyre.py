#!/usr/bin/env python
"""PHYRE: puzzles that are solved by placing one or two balls: `comphy phyre`, from a checkout."""

from comphy.cli.phyre import app

if __name__ == "__main__":
    app()

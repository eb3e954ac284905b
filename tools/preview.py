#!/usr/bin/env python
"""Look at a dataset: `comphy preview`, from a checkout."""

from comphy.cli.preview import app

if __name__ == "__main__":
    app()

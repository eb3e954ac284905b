#!/usr/bin/env python
"""Train the task that a config names: `comphy train`, from a checkout."""

from comphy.cli.train import app

if __name__ == "__main__":
    app()

#!/usr/bin/env python
"""Prove robustness by seeded trials: `comphy torture`, from a checkout."""

from comphy.cli.torture import app

if __name__ == "__main__":
    app()

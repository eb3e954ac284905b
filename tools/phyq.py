#!/usr/bin/env python
"""Phy-Q: shoot birds at pigs: `comphy phyq`, from a checkout."""

from comphy.cli.phyq import app

if __name__ == "__main__":
    app()

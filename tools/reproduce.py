#!/usr/bin/env python
"""From nothing to trained weights and the tables of what they reach: `comphy reproduce`, from a checkout."""

from comphy.cli.reproduce import app

if __name__ == "__main__":
    app()

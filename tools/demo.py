#!/usr/bin/env python
"""From nothing to a first answer: `comphy demo`, from a checkout."""

from comphy.cli.demo import app

if __name__ == "__main__":
    app()

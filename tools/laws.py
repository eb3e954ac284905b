#!/usr/bin/env python
"""Compare the simulator's laws of motion with the published ones: `comphy laws`, from a checkout."""

from comphy.cli.laws import app

if __name__ == "__main__":
    app()

#!/usr/bin/env python
"""Look at datasets, answers and puzzles in the browser: `comphy explore`, from a checkout."""

from comphy.cli.explore import app

if __name__ == "__main__":
    app()

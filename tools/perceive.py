#!/usr/bin/env python
"""Look at the sets of a dataset with a trained perceiver: `comphy perceive`, from a checkout."""

from comphy.cli.perceive import app

if __name__ == "__main__":
    app()

#!/usr/bin/env python
"""Prove that a dataset is sound: `comphy check`, from a checkout."""

from comphy.cli.check import app

if __name__ == "__main__":
    app()

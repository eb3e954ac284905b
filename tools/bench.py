#!/usr/bin/env python
"""Measure the speed of the toolkit: `comphy bench`, from a checkout."""

from comphy.cli.bench import app

if __name__ == "__main__":
    app()

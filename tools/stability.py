#!/usr/bin/env python
"""Measure how well-posed the options of a split are: `comphy stability`, from a checkout."""

from comphy.cli.stability import app

if __name__ == "__main__":
    app()

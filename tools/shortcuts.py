#!/usr/bin/env python
"""Answer questions about the unseen without a simulator: `comphy shortcuts`, from a checkout."""

from comphy.cli.shortcuts import app

if __name__ == "__main__":
    app()

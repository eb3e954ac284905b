#!/usr/bin/env python
"""Generate ComPhy video sets and the questions about them: `comphy generate`, from a checkout."""

from comphy.cli.generate import app

if __name__ == "__main__":
    app()

#!/usr/bin/env python
"""Score answers, reasoners, parsers and perceivers: `comphy evaluate`, from a checkout."""

from comphy.cli.evaluate import app

if __name__ == "__main__":
    app()

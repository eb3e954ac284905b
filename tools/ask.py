#!/usr/bin/env python
"""Ask a trained PCR a question about a set of videos: `comphy ask`, from a checkout."""

from comphy.cli.ask import app

if __name__ == "__main__":
    app()

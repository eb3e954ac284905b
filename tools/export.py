#!/usr/bin/env python
"""Write our sets in the layouts of other datasets: `comphy export`, from a checkout."""

from comphy.cli.export import app

if __name__ == "__main__":
    app()

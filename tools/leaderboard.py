#!/usr/bin/env python
"""Rank runs and submissions on the same questions: `comphy leaderboard`, from a checkout."""

from comphy.cli.leaderboard import app

if __name__ == "__main__":
    app()

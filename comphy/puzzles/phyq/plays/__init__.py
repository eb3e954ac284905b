"""Plays that learning agents learn from, simulated once and stored. Read `play`, `simulation`, then `store`."""

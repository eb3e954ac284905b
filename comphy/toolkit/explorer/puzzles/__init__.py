"""Puzzles as pages of the site: `serving` gives their players routes, `players` makes the players, and `rounds` keeps what
people did in a round of Phy-Q."""

"""Puzzles as pages of the site: `serving` gives their players routes, `players` makes the players, `phyre_agents` are those
who can be watched at PHYRE, and `rounds` keeps what people did in a round of Phy-Q."""

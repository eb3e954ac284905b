"""Phy-Q for people: `drawing` of levels, `film` of a game, `sheet` of all templates."""

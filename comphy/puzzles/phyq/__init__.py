"""Phy-Q: shoot birds at pigs. 75 templates of levels in 15 physical scenarios, on the planar simulator core."""

"""Makes task lists for Phy-Q: `solving` finds shots that win a level."""

"""Makes Phy-Q solutions: `solving` searches for shots that win a level."""

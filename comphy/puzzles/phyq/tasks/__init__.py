"""The tasks of Phy-Q: levels after the templates, each with a certified solution."""

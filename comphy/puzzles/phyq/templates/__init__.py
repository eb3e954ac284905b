"""The levels of Phy-Q: the `published` templates and the `variation`s that make tasks of them."""

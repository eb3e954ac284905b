"""Scores of a perceiver: `detection` (average precision), `tracking` (identity, alignment), and their tables."""

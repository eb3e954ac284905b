"""Puzzles for one ball of the player."""

"""Puzzles for two balls of the player."""

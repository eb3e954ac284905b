"""Measures: how well questions are answered, puzzles solved, and laws of motion met."""

"""Executes programs on probabilities, many questions at once, so that answers teach whoever perceived the scene."""

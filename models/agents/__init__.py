"""Agents that solve puzzles."""

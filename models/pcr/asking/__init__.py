"""Answers one question about one set of videos, and tells how."""

"""Reads questions and choices: English sentences to well-typed programs."""

"""Puzzle benchmarks on the planar world."""

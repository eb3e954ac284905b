"""Differentiable operators, one short function each; `table` lists them by name."""

"""Validates a dataset on disk: its files, the rules of the benchmark, and the consistency of redundant data."""

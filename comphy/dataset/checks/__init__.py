"""Proves that a dataset on disk is sound: files, rules of the benchmark, agreement of all that is written twice."""

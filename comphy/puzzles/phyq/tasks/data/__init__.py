"""The list of tasks, gzipped JSON."""

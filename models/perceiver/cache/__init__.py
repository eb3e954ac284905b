"""Perceived sets on disk: `index`, `rounding` and `rows` of the files, the `feature_cache` that reads and writes them, and
`fill`."""

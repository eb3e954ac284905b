"""Sets on disk: `index` and `arrays` of any cache; `rounding` and `rows` of perceived sets, the `feature_cache` that reads
and writes them, and `fill`."""

"""From detections to objects, in the order of the steps: `appearance` (embeddings), `tracklets` (links between
neighbouring frames), `association` of tracklets over gaps, `smoothing`, the `tracker` that runs them, and `alignment` of
references with the target."""

"""From detections to objects: `appearance`, `tracklets`, `joining` of them, `smoothing`, the `tracker` that does it all, and
`alignment` of references with the target."""

"""Ground truth of a set: the release's `annotation` of each video, the `extras` beside it, the `facts` that programs are
executed on, and from these what the question engine takes (`askable`)."""

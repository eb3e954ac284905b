"""What a video shows: `concepts` as directions in a feature space, `collision_features`, `peaks` (events from scores), the
`grounder` that uses all three, `views` (one object in several videos) and `alignment` of references with the target."""

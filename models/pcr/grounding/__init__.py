"""What a video shows: `concepts` as directions in an embedding space, `collision_features`, `peaks` (events by non-maximum
suppression of scores), the `grounder` that uses all three, `views` (one object in several videos) and `alignment` of
references with the target."""

"""What agents see and do: the `scene` on the screen, with or without noise, its published `symbolic` form, `observations`
and `rewards` by name, `actions`, a Gymnasium `environment`, and the `evaluator`, which lets agents play."""

"""What agents see and do: the `scene` on the screen, with or without noise, its published `symbolic` form, `observations`
and `rewards` by name, `actions`, a Gymnasium `environment`. What they are is in `contract`; `setups` says what tests them,
the `evaluator` lets them play, `imagination` lets them try shots on levels of their own."""

"""States of motion fitted to whole tracks, through the learned laws: an iterated extended Kalman smoother.

Read `kalman` (filter and smoother of any linear model), `smoother` (the laws as such a model), `yaw_hypotheses` (how cubes
may turn), then `state_fit`, which the reasoner calls."""

"""How things move: `state` (bodies and states of motion), `footprints` (rounded squares on the table), `time_of_impact`,
the property-aware `predictor`, the `paper_predictor` it is compared with (Eq. 3), `state_fit` (states of whole tracks, by an
iterated extended Kalman smoother; with `kalman`, `smoother` and `yaw_hypotheses`), `rollout` of imagined motion, its
collisions (`impacts`), `recorded_trajectories`, which the laws are learned from, and `strides` (every so many frames of
them)."""

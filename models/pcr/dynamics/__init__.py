"""How things move: `state` (bodies and states of motion), recorded `trajectories` and `strides` (every so many frames of
them), `footprints` (rounded squares on the table), `time_of_impact`, the property-aware `predictor`, the `paper_predictor`
it is compared with (Eq. 3), `fitting/` (states of whole tracks, by an iterated extended Kalman smoother), `rollout` of
imagined motion, its collisions (`impacts`), and `trajectories`, the recorded motion that the laws are learned from."""

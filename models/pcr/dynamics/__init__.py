"""How things move: `state` (bodies and states of motion), `footprints` (rounded squares on the table), `time_of_impact`,
the property-aware `predictor`, the `paper_predictor` it is compared with (Eq. 3), `rollout` of imagined motion, and
`footage`, the recorded motion that the laws are learned from."""

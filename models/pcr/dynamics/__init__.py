"""How things move: `footprints` (rounded squares on the table) and `time_of_impact`, the property-aware `predictor`, the
`paper_predictor` it is measured against (Eq. 3), `rollout` of imagined motion, and `footage`, the recorded motion that the
laws are learned from."""

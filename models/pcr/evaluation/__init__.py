"""Scores of a reasoner, the only place that looks at labels: `true_sets` and `true_scene` (the truth in the model's terms),
`true_laws`, `true_states` and `true_motion` (the simulator's), `concept_scores`, `alignment_scores`, `recalibration_fit`
(confidence made to agree with accuracy), `replacements` and `diagnosis` (the truth in place of one module after the other),
and the `reasoner_evaluation` of a run, which puts them together."""

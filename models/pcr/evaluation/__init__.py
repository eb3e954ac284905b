"""Scores of a reasoner, the only place that looks at labels: `true_sets` and `true_scene` (the truth in the model's terms),
`concept_scores`, `alignment_scores`, `recalibration_fit` (confidence made to agree with accuracy), `diagnosis` (the truth in
place of one module after the other), and the `exam` of a run, which puts them together."""

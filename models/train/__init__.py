"""What all trainings share. In order of reading: the `run` with its `interrupts`, the `loop` of steps, `finite` checks,
`training_checkpoint` on `checkpoint`, `metrics`; `distributed` training, `precision`, `device`, `cpu`, `randomness`; and
`splits`, which answers the questions of a dataset at the end."""

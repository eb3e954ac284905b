"""Baselines to compare other models with. In order of reading: the interface (`contract`), `random_guess`, `frequent`, then
`examples`, `blind_lstm` and `blind_training`, and the `tasks` that tools/train.py runs."""

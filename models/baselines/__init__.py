"""Baselines to compare other models with. In order of reading: the interface (`contract`), `random_guess`, `frequent`; then
`examples`, `training` and `answering`, which all trained ones share, with `blind/`, which reads the question alone; those
that look at videos, `cnn_lstm`, `hcrn`, `mac`, `alpro` and `aloe`, on top of `video/`, with `monet/` for the last; those
that are not trained, vision-language models, in `lvlm/`; those that are told labels, in `cpl/`; and the `tasks` that
comphy train runs."""

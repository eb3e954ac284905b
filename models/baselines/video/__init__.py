"""What baselines that look at videos share: `settings` of frames and of what is shown, the `network` that describes frames,
their `features` on disk or the `tracks` of a perceiver, the `views` that a model gets of them, the `training` of any such
model, and the `tokens` of those that attend."""

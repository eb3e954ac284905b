"""What baselines that look at videos share: `settings` of frames, the `network` that describes them, their `features` on
disk and how a model is shown them, and the `training` of any such model."""

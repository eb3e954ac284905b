"""MONet, which finds the objects of a frame without being told of any: its `network`, and the `training` on frames."""

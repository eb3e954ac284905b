"""Tracked boxes as motion on the ground plane: `ground_plane` (boxes to places), `yaw_filter` (orientation of cubes by
forward-backward smoothing), `line_fits` (velocities and accelerations by least squares), `observed` (all of it for whole
sets), and `tensor_trees` (helpers for nested dataclasses of tensors)."""

"""Tracked boxes as motion on the ground plane: `ground_plane` (boxes to places), its inverse `projection` (places to boxes),
`line_fits` (velocities and accelerations by least squares), `fitted_motion` (states that the dynamics fit to whole tracks),
`observed` (all of it for whole sets), `camera_fit` (the camera, estimated from `standing_boxes`), `camera_choice` (which
camera is taken, and what is said of it), and `tensor_trees` (helpers for nested dataclasses of tensors)."""

"""Tracked boxes as motion on the table: `ground_plane` (boxes to places), `yaw_filter` (which way objects are turned),
`line_fits` (velocities and accelerations), and `observed`, all of it for whole sets."""

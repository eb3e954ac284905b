"""Compact files of many videos, for machines that render or train: `codec` (compression), `rollouts` (trajectories) and
`boxes`."""

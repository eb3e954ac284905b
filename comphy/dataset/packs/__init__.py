"""Compact files of many videos, for machines that render or train: `codec`, `rollouts` (trajectories), `boxes`."""

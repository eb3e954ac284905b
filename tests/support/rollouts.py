"""Comparison of rollouts."""

from comphy.sim.rollout import Rollout


def identical(one: Rollout, other: Rollout) -> bool:
    """Whether two rollouts are equal bit for bit, signs of zeros included."""
    tables = ("positions", "orientations", "velocities", "angular_velocities")
    return (
        all(getattr(one, name).tobytes() == getattr(other, name).tobytes() for name in tables)
        and one.collisions == other.collisions
        and one.steps_per_frame == other.steps_per_frame
    )

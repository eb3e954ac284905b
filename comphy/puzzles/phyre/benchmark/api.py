"""Creates simulators from task ids."""

from collections.abc import Sequence

from comphy.errors import ConfigError
from comphy.puzzles.phyre.benchmark.tasks import find_task
from comphy.puzzles.phyre.world.actions import tier_named
from comphy.puzzles.phyre.world.simulator import ActionSimulator


def initialize_simulator(task_ids: Sequence[str], action_tier: str) -> ActionSimulator:
    """Create a simulator of tasks.

    Args:
        task_ids: such as `00001:004`, in the order in which the simulator numbers them.
        action_tier: ball or two_balls; it may differ from that of the tasks.

    Returns:
        The simulator.

    Raises:
        ConfigError: for unknown or repeated ids, or an unknown tier."""
    tier = tier_named(action_tier)
    if isinstance(task_ids, str):
        raise ConfigError(f"Expected a list of task ids (got the text '{task_ids}'). Put it in brackets.")
    if len(set(task_ids)) != len(task_ids):
        twice = next(one for one in task_ids if list(task_ids).count(one) > 1)
        raise ConfigError(f"Expected different tasks (got {twice} more than once).")
    return ActionSimulator({task_id: find_task(task_id).scene() for task_id in task_ids}, tier)

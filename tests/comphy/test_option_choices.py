"""Options with a closed set of values name exactly what the library knows."""

from comphy import choices
from comphy.dataset.layout import SPLITS
from comphy.puzzles.phyre.benchmark.folds import MAIN_EVAL_SETUPS, eval_setup_to_action_tier
from comphy.puzzles.phyre.world.actions import ACTION_TIERS
from models.agents.benchmark.preparing import AGENTS


def test_choices_are_those_of_the_library() -> None:
    assert set(choices.StillsRenderer) == set(choices.RendererName) - {choices.RendererName.NONE}
    assert set(choices.Frames) - {choices.Frames.AUTO} == set(choices.FramesFrom)
    assert tuple(choices.Split) == SPLITS and set(choices.SplitOrAll) == {*SPLITS, "all"}
    assert set(choices.TierName) == set(ACTION_TIERS)
    assert set(choices.Setup) == set(MAIN_EVAL_SETUPS)
    assert set(choices.AgentName) == set(AGENTS)
    assert all(setup.tier == eval_setup_to_action_tier(setup) for setup in choices.Setup)

"""Options with a closed set of values name exactly what the library knows."""

from comphy import choices
from comphy.dataset.layout import SPLITS
from comphy.evaluation.qa.leaderboard import Against
from comphy.puzzles.phyre.benchmark.folds import MAIN_EVAL_SETUPS, eval_setup_to_action_tier
from comphy.puzzles.phyre.world.actions import ACTION_TIERS
from data_gen.export.layouts import ExportAs
from data_gen.frames import FramesFrom
from data_gen.renderers.build import RendererName
from models.agents.benchmark.preparing import AGENTS
from models.perceiver.evaluation import Watched


def test_choices_are_those_of_the_library() -> None:
    assert set(choices.Renderer) == set(RendererName)
    assert set(choices.Frames) - {choices.Frames.AUTO} == set(FramesFrom)
    assert tuple(choices.Split) == SPLITS and set(choices.SplitOrAll) == {*SPLITS, "all"}
    assert set(choices.Layout) == set(ExportAs)
    assert set(choices.Watched) == set(Watched)
    assert set(choices.Against) == set(Against)
    assert set(choices.TierName) == set(ACTION_TIERS)
    assert set(choices.Setup) == set(MAIN_EVAL_SETUPS)
    assert set(choices.AgentName) == set(AGENTS)
    assert all(setup.tier == eval_setup_to_action_tier(setup) for setup in choices.Setup)

"""Scorers learn what is to be learned, resume to the same weights, and score many actions as they score one."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch

from comphy.errors import DatasetError
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.world.actions import BALL, TWO_BALLS
from comphy.puzzles.phyre.world.constants import Color
from comphy.puzzles.phyre.world.shapes import ball, bar
from models.agents.benchmark.playing import evaluate, scores_of
from models.agents.contract import AttemptResult, Puzzle
from models.agents.scorers.dqn_network import DQN, DQNNetwork, relative_actions
from models.agents.scorers.object_network import ObjectNetwork, ObjectNetworkSettings
from models.agents.scorers.scorer import ActionScorer, ScorerEnsemble, scores
from models.agents.scorers.training import LearningSettings, OnlineLearner, OnlineSettings, fit
from models.agents.strategies.fixed_list_agents import RandomAgent
from models.agents.strategies.ranking import OnlineRankingAgent, RankingAgent
from models.train.cpu import one_thread
from models.train.randomness import seeded
from models.train.run import Run
from tests.support.tiny_world import ACTIONS, attempt, experience, outcome, puzzles

KNOWN = puzzles(2)


def dqn(relative_action: bool = False) -> ActionScorer:
    with seeded(0):
        return DQN(DQNNetwork(width=8, hidden=32, pooling=8, relative_action=relative_action), 3)


def relative_dqn() -> ActionScorer:
    return dqn(relative_action=True)


def objects() -> ActionScorer:
    with seeded(0):
        return ObjectNetwork(ObjectNetworkSettings(hidden=32, heads=2, scene_layers=1, action_layers=1, octaves=4))


@pytest.fixture(autouse=True)
def single_thread():
    with one_thread():
        yield


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "updates", "each"), [(dqn, 70, 1), (dqn, 70, 4), (relative_dqn, 70, 4), (objects, 60, 1)]
)
def test_a_scorer_learns_a_handful_of_tasks(make, updates: int, each: int, tmp_path: Path) -> None:
    scorer = make()
    settings = LearningSettings(
        updates=updates, batch_size=16, actions_per_task=each, learning_rate=3e-3, balance_tasks=True
    )
    assert fit(scorer, experience(KNOWN), settings, 0, Run(tmp_path, tmp_path))
    for puzzle in KNOWN:
        statuses = outcome(puzzle, ACTIONS)
        logits = scores(scorer, puzzle, ACTIONS, batch=50)
        assert logits[statuses > 0].mean() > logits[statuses < 0].mean() + 1.0
    trained = scores_of(evaluate(RankingAgent(scorer, ACTIONS, 64), KNOWN, attempt))
    assert trained.success[1] == 100
    assert trained.auccess > scores_of(evaluate(RandomAgent(ACTIONS), KNOWN, attempt)).auccess


@pytest.mark.parametrize("make", [dqn, relative_dqn, objects])
def test_many_actions_are_scored_as_one_is(make) -> None:
    scorer = make().eval()
    [puzzle, *_] = KNOWN
    together = scores(scorer, puzzle, ACTIONS, batch=25)
    alone = [scores(scorer, puzzle, action[None], batch=1)[0] for action in ACTIONS[:5]]
    np.testing.assert_allclose(together[:5], alone, atol=1e-4)
    with torch.no_grad():
        views = scorer.observe(KNOWN)
        among_others = scorer(views, torch.from_numpy(ACTIONS[[0] * len(KNOWN)]).float())
    np.testing.assert_allclose(among_others[0].item(), together[0], atol=1e-4)
    assert scores(scorer, puzzle, ACTIONS[:0], batch=5).shape == (0,)


def test_an_ensemble_has_the_mean_logit() -> None:
    scorers = [dqn(), objects()]
    each = [scores(scorer, KNOWN[0], ACTIONS, batch=50) for scorer in scorers]
    np.testing.assert_allclose(ScorerEnsemble(scorers, KNOWN[0], 30).score(ACTIONS), sum(each) / 2, atol=1e-4)


def test_a_mirror_shows_the_same_puzzle_to_both_networks() -> None:
    left = SceneBuilder()
    left.goal(left.moving(ball(0.1), centre_x=0.3, top=0.9), left.fixed(bar(0.4), left=0.1, bottom=0.0))
    right = SceneBuilder()
    right.goal(right.moving(ball(0.1), centre_x=0.7, top=0.9), right.fixed(bar(0.4), right=0.9, bottom=0.0))
    shown = [Puzzle("00002:000", scene.build(), BALL) for scene in (left, right)]
    actions = torch.tensor([[0.25, 0.6, 0.5]])
    for scorer in (dqn(), relative_dqn(), objects()):
        views = scorer.observe(shown)
        there, mirrored_action = scorer.mirrored(views[:1], actions)
        assert (there - views[1:]).float().abs().mean() < 0.01
        assert mirrored_action.tolist() == [pytest.approx([0.75, 0.6, 0.5], abs=0.01)]


def test_a_place_is_told_how_far_from_it_the_balls_are() -> None:
    """In quarters of the scene; the second place of the first row is at three quarters of the width, one of the height."""
    action = torch.tensor([[0.75, 0.5, 0.3, 0.0, 0.25, 0.1]])
    told = relative_actions(action, side=2)
    assert told.shape == (1, 2, 2, 10)
    assert told[0, 0, 1, :6].tolist() == action[0].tolist()
    assert told[0, 0, 1, 6:].tolist() == pytest.approx([0.0, 1.0, -3.0, 0.0], abs=0.02)


def test_places_are_those_of_the_picture() -> None:
    """The place that shows a body is told that a ball which is put there is near; all others, that it is farther away."""
    scene = SceneBuilder()
    scene.goal(scene.moving(ball(0.1), centre_x=0.2, centre_y=0.8), scene.fixed(bar(0.1), left=0.8, bottom=0.1))
    puzzle = Puzzle("00002:000", scene.build(), BALL)
    side, green = 8, puzzle.image() == Color.GREEN
    shows = green.reshape(side, 256 // side, side, 256 // side).sum(axis=(1, 3))
    action = torch.from_numpy(BALL.actions_of([[0.2 * 256, 0.8 * 256, 8.0]])).float()
    near = relative_actions(action, side)[0, ..., 3:].square().sum(dim=-1)
    assert np.unravel_index(shows.argmax(), shows.shape) == np.unravel_index(near.numpy().argmin(), near.shape)


def test_a_trained_network_is_not_shown_the_scenes_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen, settings = experience(KNOWN), LearningSettings(updates=2, batch_size=4)
    trained, again = objects(), objects()
    assert fit(trained, seen, settings, 0, Run(tmp_path, tmp_path))

    def no_look(puzzles: Sequence[Puzzle]) -> torch.Tensor:
        raise AssertionError("shown again")

    monkeypatch.setattr(again, "observe", no_look)
    assert fit(again, seen, settings, 0, Run(tmp_path, tmp_path))
    assert all(torch.equal(a, b) for a, b in zip(trained.parameters(), again.parameters(), strict=True))


def test_a_run_that_was_stopped_comes_to_the_same_weights(tmp_path: Path) -> None:
    whole, parts = objects(), objects()
    settings = LearningSettings(updates=4, batch_size=4, checkpoint_every=2)
    assert fit(whole, experience(KNOWN), settings, 0, Run(tmp_path, tmp_path / "whole"))
    for done in range(1, 5):
        run = Run(tmp_path, tmp_path / "parts", max_minutes=0.0)
        finished = fit(parts, experience(KNOWN), settings, 0, run)
        assert finished == (done == 4)
        parts = parts if finished else objects()
    for name, weights in whole.state_dict().items():
        assert torch.equal(weights, parts.state_dict()[name]), name
    with pytest.raises(DatasetError, match="trained on other tried actions"):
        fit(objects(), experience(KNOWN, ACTIONS[:30]), settings, 0, Run(tmp_path, tmp_path / "whole"))


def test_the_order_of_parts_and_of_balls_does_not_matter() -> None:
    scorer = objects().eval()
    [puzzle, *_] = KNOWN
    actions = torch.from_numpy(TWO_BALLS.sample(6, np.random.default_rng(0))).float()
    views = scorer.observe([puzzle])
    with torch.no_grad():
        features = scorer.encode(views.flip(1)).expand(6, -1, -1)
        changed = scorer.score(features, actions.unflatten(1, (2, 3)).flip(1).flatten(1))
        expected = scorer.score(scorer.encode(views).expand(6, -1, -1), actions)
    torch.testing.assert_close(changed, expected, atol=1e-4, rtol=1e-4)


def test_attempts_of_the_test_are_learned_from() -> None:
    """And statistics of normalisation are left as they are."""
    scorer = dqn()
    [puzzle, *_] = KNOWN
    results = [result for result in (attempt(puzzle, action) for action in ACTIONS) if not result.status.is_invalid()]
    solved = np.array([result.status.is_solved() for result in results])
    actions = np.array([result.action for result in results])

    def margin() -> float:
        logits = scores(scorer, puzzle, actions, 64)
        return float(logits[solved].mean() - logits[~solved].mean())

    before, statistics = margin(), {n: b.clone() for n, b in scorer.named_buffers()}
    learner = OnlineLearner(scorer, OnlineSettings(updates=5, learning_rate=1e-3))
    learner.learn(puzzle, results)
    assert margin() > before
    assert all(torch.equal(buffer, statistics[name]) for name, buffer in scorer.named_buffers())
    learner.learn(puzzle, [])


def test_an_online_agent_that_wants_contrast_learns_only_from_both_kinds() -> None:
    """Otherwise each task that stays unsolved says that all fails, and the ranking goes with it."""
    scorer = dqn()
    learner = OnlineLearner(scorer, OnlineSettings(updates=5, learning_rate=1e-3, contrast=True))
    results = [attempt(KNOWN[0], action) for action in ACTIONS]
    solved = [result for result in results if result.status.is_solved()]
    failed = [result for result in results if result.status.is_not_solved()]

    def logits() -> np.ndarray:
        return scores(scorer, KNOWN[0], np.array([solved[0].action, *(result.action for result in failed)]), 64)

    before = logits()
    learner.learn(KNOWN[0], failed)
    learner.learn(KNOWN[0], solved)
    np.testing.assert_array_equal(logits(), before)
    learner.learn(KNOWN[0], [*failed, solved[0]])
    gained = logits() - before
    assert gained[0] > 0 > gained[1:].mean(), "one solution counts as much as many failures"


def test_without_updates_online_is_offline() -> None:
    scorer = dqn()
    agent = OnlineRankingAgent(scorer, ACTIONS, 64, OnlineSettings(updates=0))
    assert agent.continues_after_solving and not RankingAgent(scorer, ACTIONS, 64).continues_after_solving
    before = {name: weights.clone() for name, weights in scorer.state_dict().items()}
    agent.learn(
        KNOWN[0], [AttemptResult(ACTIONS[0], attempt(KNOWN[0], ACTIONS[0]).status, lambda: np.empty((0, 0, 6)))]
    )
    assert all(torch.equal(weights, before[name]) for name, weights in scorer.state_dict().items())


def test_the_full_network_is_a_resnet_18_of_seven_colours() -> None:
    """11.2 million weights without the classifier, as published, and a feature of 256 channels that is kept."""
    scorer = DQN(DQNNetwork(), BALL.dimensions).eval()
    weights = sum(p.numel() for name, p in scorer.named_parameters() if name.startswith(("backbone", "last_stage")))
    published = 11_689_512 - (512 * 1000 + 1000) + 4 * 64 * 49  # ImageNet's, less its classifier, four colours more
    assert weights == published
    with torch.no_grad():
        assert scorer.encode(scorer.observe(KNOWN[:1])).shape == (1, 256, 16, 16)

"""Runs that CLEVRER's files do not hold, compared with worlds whose course is plain.

Balls stand in a row along y; the first rolls towards the others and hands most of its motion on. It follows with the rest
and may catch up with a ball that has hit another.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from comphy.dataset.annotations.annotation import VideoAnnotation
from comphy.dataset.published.clevrer import clevrer_facts, read_clevrer
from comphy.dataset.published.clevrer_runs import CLEVRER_LAWS, simulate_runs
from comphy.programs.executor import execute
from comphy.programs.facts import Events
from comphy.programs.program import parse
from comphy.scene.events import EventKind
from comphy.scene.objects import STEPS_PER_FRAME
from comphy.sim.bullet import Engine
from tests.support.clevrer_files import FRAMES, balls_in_a_row, recorded, write

pytestmark = pytest.mark.bullet


def annotated(engine: Engine, tmp_path: Path, speed: float, places: tuple[float, ...]) -> VideoAnnotation:
    return read_clevrer(write(tmp_path, recorded(*balls_in_a_row(engine, speed, places, FRAMES))))


def pairs(events: Events) -> list[tuple[int, ...]]:
    assert all(event.kind is EventKind.COLLISION for event in events)
    assert list(events) == sorted(events, key=lambda event: event.frame)
    return [event.objects for event in events]


def test_taking_a_ball_out_of_the_row(engine: Engine, tmp_path: Path):
    annotation = annotated(engine, tmp_path, 2.0, (-2.0, -0.5, 0.5))
    assert [c.pair for c in annotation.collisions] == [(0, 1), (1, 2), (0, 1)]
    runs = simulate_runs(annotation, engine)
    assert pairs(runs.removal[0]) == []  # nobody pushes
    assert pairs(runs.removal[1]) == [(0, 2)]  # the first reaches the third itself
    assert pairs(runs.removal[2]) == [(0, 1)]


def test_up_to_the_change_a_run_is_the_annotation(engine: Engine, tmp_path: Path):
    annotation = annotated(engine, tmp_path, 2.0, (-2.0, -0.5, 0.5))
    first = annotation.collisions[0]
    kept = simulate_runs(annotation, engine).removal[2]
    assert (kept[0].frame, kept[0].objects) == (first.frame, first.pair)


def test_a_ball_that_is_never_touched_changes_nothing(engine: Engine, tmp_path: Path):
    annotation = annotated(engine, tmp_path, 2.0, (-2.0, -0.5, 0.5, 40.0))
    runs = simulate_runs(annotation, engine)
    shown = [(c.frame, c.pair) for c in annotation.collisions]
    assert [(event.frame, event.objects) for event in runs.removal[3]][: len(shown)] == shown


def test_collisions_after_the_video_come_when_they_would(engine: Engine, tmp_path: Path):
    """The same world simulated longer in one go tells when the last ball is hit."""
    places = (-2.5, -1.0, 1.6)
    video, rollout = balls_in_a_row(engine, 1.0, places, FRAMES + 58)
    truth = [(c.step // STEPS_PER_FRAME, c.pair) for c in rollout.collisions]
    assert [pair for _, pair in truth] == [(0, 1), (1, 2)] and truth[0][0] < FRAMES <= truth[1][0]
    runs = simulate_runs(read_clevrer(write(tmp_path, recorded(video, rollout))), engine)
    assert pairs(runs.future) == [(1, 2)]
    assert abs(runs.future[0].frame - truth[1][0]) <= 2
    # Without the second ball the first goes on alone and gets there, late as well.
    assert pairs(runs.removal[1]) == [(0, 2)]
    assert simulate_runs(read_clevrer(write(tmp_path, recorded(video, rollout))), engine, future_frames=1).future == ()


def test_a_contact_at_the_last_frame_is_told_once(engine: Engine, tmp_path: Path):
    video, rollout = balls_in_a_row(engine, 1.0, (-2.5, -1.0), FRAMES)
    hit = rollout.collisions[0].step // STEPS_PER_FRAME
    annotation = read_clevrer(write(tmp_path, recorded(video, rollout, frames=hit + 1)))
    assert [c.pair for c in annotation.collisions] == [(0, 1)]
    assert simulate_runs(annotation, engine).future == ()


def test_laws_are_a_parameter(engine: Engine, tmp_path: Path):
    """Damping decides whether the ball gets there: at 0.9 it keeps a tenth of its speed after each second."""
    annotation = annotated(engine, tmp_path, 1.0, (-2.5, 3.0))
    assert annotation.collisions == ()
    assert pairs(simulate_runs(annotation, engine).future) == [(0, 1)]
    assert simulate_runs(annotation, engine, replace(CLEVRER_LAWS, damping=0.9)).future == ()


def test_questions_are_answered_with_the_runs(engine: Engine, tmp_path: Path):
    annotation = annotated(engine, tmp_path, 2.0, (-2.0, -0.5, 0.5))
    runs = simulate_runs(annotation)
    facts = clevrer_facts(annotation, runs.future, runs.removal)
    choice = (
        "all_events objects red filter_color unique filter_collision objects green filter_color unique filter_collision "
        "unique"
    )
    question = "all_events objects blue filter_color unique get_counterfact belong_to"
    assert execute(parse(f"{choice} {question}".split()), facts) is True
    assert execute(parse(f"{choice} unseen_events belong_to".split()), facts) is False

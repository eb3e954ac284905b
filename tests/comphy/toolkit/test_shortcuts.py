"""Answers without a simulator, on motion made by hand."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from comphy.dataset.annotations.annotation import AnnotatedCollision, VideoAnnotation
from comphy.dataset.annotations.facts import facts_of
from comphy.dataset.sources.opening import open_source
from comphy.programs.executor import execute
from comphy.programs.program import parse
from comphy.questions.model import QuestionKind
from comphy.scene.camera import Camera
from comphy.scene.objects import STEPS_PER_FRAME, TARGET_VISIBLE_FRAMES, ObjectSpec
from comphy.scene.vocabulary import Color, Material, Shape
from comphy.toolkit.shortcuts import shortcut_answers, straight_collisions, without_premises

SPHERE = ObjectSpec(Color.RED, Shape.SPHERE, Material.METAL)
CUBE = ObjectSpec(Color.BLUE, Shape.CUBE, Material.METAL)


def moving(place: tuple[float, float], velocity: tuple[float, float]) -> VideoAnnotation:
    """A sphere that rests in the middle, and a cube that moves: it is in `place` in the last visible frame."""
    frames = TARGET_VISIBLE_FRAMES
    locations, velocities = np.zeros((2, frames, 2, 3))
    locations[-1, 1, :2], velocities[-1, 1, :2] = place, velocity
    inside = np.ones((frames, 2), np.bool_)
    met = AnnotatedCollision(30 * STEPS_PER_FRAME, (0, 1))
    return VideoAnnotation(0, (SPHERE, CUBE), locations, velocities, None, inside, (met,))


@pytest.mark.parametrize(
    ("place", "velocity", "frame"),
    [
        ((2.0, 0.0), (-1.25, 0.0), 165),  # nearest after 1.6 s
        ((2.0, 0.40), (-1.25, 0.0), 165),  # a cube and a sphere touch at 0.435
        ((2.0, 0.47), (-1.25, 0.0), None),
        ((2.0, 0.0), (1.25, 0.0), None),  # away
        ((2.0, 0.0), (-0.70, 0.0), None),  # is 0.6 away when two seconds are over
        ((2.0, 0.0), (-0.80, 0.0), 175),
        ((0.40, 0.0), (0.0, 0.0), None),  # rests beside it
    ],
)
def test_who_would_meet_in_straight_lines(
    place: tuple[float, float], velocity: tuple[float, float], frame: int | None
) -> None:
    found = straight_collisions(moving(place, velocity))
    assert [event.frame for event in found] == ([] if frame is None else [frame])
    assert all(event.objects == (0, 1) for event in found)


def test_premises_change_nothing() -> None:
    target = moving((2.0, 0.0), (0.0, 0.0))
    facts = without_premises(facts_of(replace(target, objects=(SPHERE, replace(CUBE, charge=1))), Camera(), {}))
    for premise in ("heavier", "uncharged", "opposite"):
        program = (
            "all_events",
            "objects",
            "blue",
            "filter_color",
            "unique",
            f"counterfact_{premise}",
            "filter_counterfact",
        )
        assert [event.objects for event in execute(parse(program), facts)] == [(0, 1)]


@pytest.mark.bullet
def test_questions_about_the_unseen_are_answered(six_rendered: Path) -> None:
    source = open_source(six_rendered)
    scenes = [scene for split in ("train", "val", "test") for scene in source.questions(split)]
    answers = shortcut_answers(source, scenes)
    asked = {
        (scene.scene_index, question.question_id): question
        for scene in scenes
        for question in scene.questions
        if question.kind is not QuestionKind.FACTUAL
    }
    assert answers.keys() == asked.keys() and asked
    counterfactual = [key for key, question in asked.items() if question.kind is QuestionKind.COUNTERFACTUAL]
    # The engine asks for no event that the premise leaves as it was in all choices.
    assert not any(
        all(answers[key][choice.choice_id] == choice.correct for choice in asked[key].choices) for key in counterfactual
    )

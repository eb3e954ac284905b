"""What questions about the unseen can be answered from true motion without a simulator: a bias of the data, if it is much.

- predictive: every object goes on as it moved in the last visible frame, in a straight line, and nothing pushes it;
- counterfactual: the premise changes nothing, and what happened in the video happens again.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, product
from typing import Final

import numpy as np

from comphy.dataset.annotations.annotation import VideoAnnotation
from comphy.dataset.annotations.facts import annotated_velocities, facts_of
from comphy.dataset.checks.questions import verdict
from comphy.dataset.sources.source import VideoSource
from comphy.dataset.submission import Answer, QuestionKey, Submission
from comphy.evaluation.laws import PUBLISHED
from comphy.programs.event_handlers import premised_change
from comphy.programs.facts import SceneFacts
from comphy.programs.types import Premise, Undefined
from comphy.questions.model import SIMULATED_KINDS, SceneQuestions
from comphy.scene.camera import Camera
from comphy.scene.events import Event, EventKind
from comphy.scene.objects import FPS, TARGET_TOTAL_FRAMES, TARGET_VISIBLE_FRAMES

AHEAD: Final = (TARGET_TOTAL_FRAMES - TARGET_VISIBLE_FRAMES) / FPS  # seconds that predictive questions are about


def shortcut_answers(source: VideoSource, scenes: Sequence[SceneQuestions]) -> Submission:
    """Answers to the predictive and counterfactual questions about sets whose motion is annotated."""
    answers: dict[QuestionKey, Answer] = {}
    for scene in scenes:
        target = source.annotation(scene.scene_index).target
        facts = without_premises(facts_of(target, Camera(), {}))
        facts = replace(facts, unseen=straight_collisions(target), unseen_known=True)
        for question in scene.questions:
            if question.kind in SIMULATED_KINDS:
                judged = {choice.choice_id: verdict(question, choice, facts) for choice in question.choices}
                answers[scene.scene_index, question.question_id] = judged
    return answers


def straight_collisions(target: VideoAnnotation) -> tuple[Event, ...]:
    """Pairs whose centres come as near as touching objects' do, within the time ahead: each moves on with its last visible
    velocity, through whatever is in the way."""
    last = TARGET_VISIBLE_FRAMES - 1
    places, velocities = (of[last, :, :2] for of in (target.locations, annotated_velocities(target)))
    found = []
    for one, other in combinations(range(len(target.objects)), 2):
        apart, closing = places[other] - places[one], velocities[other] - velocities[one]
        speed = float(closing @ closing)
        when = min(max(0.0, -float(apart @ closing) / speed), AHEAD) if speed else 0.0  # when they are nearest
        near = float(np.linalg.norm(apart + when * closing))
        if when and near < _touching(target, one, other):
            found.append(Event(EventKind.COLLISION, TARGET_VISIBLE_FRAMES + round(when * FPS), (one, other)))
    return tuple(found)


def _touching(target: VideoAnnotation, one: int, other: int) -> float:
    """The distance of centres at which two objects touch."""
    first, second = sorted(target.objects[number].shape for number in (one, other))
    return next(
        found.value for pair, found in PUBLISHED.contact_distance.items() if tuple(sorted(pair)) == (first, second)
    )


def without_premises(facts: SceneFacts) -> SceneFacts:
    """Facts in which every premise leads to what happened in the video."""
    happened = tuple(event for event in facts.visible if event.kind is EventKind.COLLISION)
    runs = {}
    for which, premise in product(range(len(facts.objects)), Premise):
        with suppress(Undefined):  # a premise that holds already
            runs[premised_change(facts, which, premise).key] = happened
    return replace(facts, counterfactual=runs)

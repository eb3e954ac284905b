"""Well-posed and ill-posed questions about scenes made by hand, simulated by the real engine."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from comphy.dataset.notes import notes_path, read_notes
from comphy.dataset.questions import answers_path, read_questions
from comphy.errors import DatasetError
from comphy.programs.facts import SceneFacts
from comphy.questions.choices import choice_program
from comphy.questions.looks import minimal_looks
from comphy.questions.model import SIMULATED_KINDS, Choice, Note, Question, QuestionKind, Stability, Tokens
from comphy.scene.objects import InitialState, ObjectSpec, Video
from comphy.scene.vocabulary import Color, Material, Shape
from comphy.sim.bullet import Engine
from comphy.sim.rollout import Collision
from data_gen.stability.noise import MeasurementNoise
from data_gen.stability.resimulation import Resimulator, StoredTarget, new_collisions

pytestmark = pytest.mark.bullet

RED, BLUE, GREEN = (ObjectSpec(color, Shape.SPHERE, Material.METAL) for color in (Color.RED, Color.BLUE, Color.GREEN))
OBJECTS = (RED, BLUE, GREEN)
TOUCHING = 0.4  # distance of the centres of two balls that touch
WILL_HAPPEN = ("unseen_events", "belong_to")
IF_RED_WERE_HEAVIER = (
    "all_events", "objects", "red", "filter_color", "unique", "counterfact_heavier", "filter_counterfact", "belong_to",
)  # fmt: skip


def ball(x: float, y: float, vy: float = 0.0) -> InitialState:
    return InitialState((x, y, 0.2), (0.0, 0.0, 0.0, 1.0), (0.0, vy, 0.0), (0.0, 0.0, 0.0))


def meeting(offset: float) -> StoredTarget:
    """Red rolls towards blue, which rests `offset` beside its path; green rests far away."""
    video = Video(OBJECTS, (ball(0.0, -1.5, 1.5), ball(offset, 0.0), ball(-1.5, 1.5)), (0, 1, 2), 125, 175)
    still = np.zeros((125, 3), bool)
    facts = SceneFacts(OBJECTS, (), (), still, still.astype(np.int8), ~still, {})
    return StoredTarget(video, replace(video, visible_frames=1, total_frames=51), facts, ())


def asked(kind: QuestionKind, program: Tokens, *options: tuple[int, int, bool]) -> Question:
    looks = [minimal_looks(OBJECTS, index)[0] for index in range(3)]
    choices = (Choice(k, "?", choice_program(looks[a], looks[b]), right) for k, (a, b, right) in enumerate(options))
    return Question(0, kind, "?", program, choices=tuple(choices))


def stability(target: StoredTarget, question: Question, engine: Engine, **changes: object) -> Stability:
    settings = {"seed": 0, "runs": 16, "noise": MeasurementNoise(), "engine": engine} | changes
    run = "mass_0_5" if question.kind is QuestionKind.COUNTERFACTUAL else ""
    return Resimulator(**settings).stability(target, 7, question, Note(0, "", (), run))


PREDICTIVE = asked(QuestionKind.PREDICTIVE, WILL_HAPPEN, (0, 1, True), (1, 2, False))
COUNTERFACTUAL = asked(QuestionKind.COUNTERFACTUAL, IF_RED_WERE_HEAVIER, (0, 1, True), (0, 2, False))


@pytest.mark.parametrize("question", [PREDICTIVE, COUNTERFACTUAL], ids=lambda question: question.kind)
def test_head_on_is_stable_and_grazing_is_not(question: Question, engine: Engine):
    assert stability(meeting(0.0), question, engine) == Stability(16, (1.0, 1.0), 1.0)
    grazing = stability(meeting(TOUCHING), question, engine)
    assert 0 < grazing.options[0] < 1 and grazing.options[1] == 1 and grazing.question == grazing.options[0]


def test_shares_are_of_the_stored_answer(engine: Engine):
    """An option whose stored answer never comes true has no stability, nor has its question."""
    wrong = asked(QuestionKind.PREDICTIVE, WILL_HAPPEN, (0, 1, False), (1, 2, False))
    assert stability(meeting(0.0), wrong, engine, runs=4) == Stability(4, (0.0, 1.0), 0.0)


def test_runs_depend_on_seed_and_question_and_not_on_their_number(engine: Engine):
    def shares(**changes: object) -> list[float]:
        return [
            stability(meeting(TOUCHING), PREDICTIVE, engine, runs=runs, **changes).options[0] * runs
            for runs in (1, 2, 3, 4)
        ]

    first = shares()
    assert first == shares() and np.isin(np.diff(first), (0, 1)).all()
    other = [
        stability(meeting(TOUCHING), replace(PREDICTIVE, question_id=k), engine, seed=seed).options[0]
        for seed, k in ((1, 0), (0, 1), (0, 0))
    ]
    assert len(set(other)) > 1


def test_without_noise_every_answer_of_a_dataset_comes_true(small_dataset: Path, engine: Engine):
    """The states of the annotation, rounded to six decimals, are enough to repeat what was simulated."""
    notes = read_notes(small_dataset / notes_path("train"))
    repeated = Resimulator(0, 1, MeasurementNoise(0.0, 0.0), engine)
    found = [
        (question.kind, note.stability)
        for scene in read_questions(small_dataset / answers_path("train"))
        for question, note in zip(
            scene.questions, repeated.measured(small_dataset, scene, notes[scene.scene_index]), strict=True
        )
    ]
    assert all((stability is not None) is (kind in SIMULATED_KINDS) for kind, stability in found)
    measured = [stability for _, stability in found if stability is not None]
    assert len(measured) > 5 and all(one.question == 1.0 for one in measured)


def collisions(*touches: tuple[int, int, tuple[int, int]]) -> Sequence[Collision]:
    return tuple(Collision(first, last, pair, 1.0, (0.0, 0.0, 0.0)) for first, last, pair in touches)


def test_a_touch_that_goes_on_is_no_new_collision():
    """Frame 124 is step 1240; touches at most 50 steps apart are one collision."""
    recorded = collisions((100, 100, (0, 1)), (1230, 1300, (0, 2)), (1200, 1200, (1, 2)), (1260, 1260, (0, 3)))
    simulated = collisions((30, 30, (0, 1)), (49, 49, (0, 2)), (10, 10, (1, 2)), (20, 20, (0, 3)))
    assert [c.pair for c in new_collisions(simulated, recorded)] == [(0, 1), (0, 3)]
    later = collisions((50, 50, (0, 2)), (11, 11, (1, 2)))
    assert new_collisions(later, recorded) == later


def test_an_unknown_premise_is_named(engine: Engine):
    with pytest.raises(DatasetError, match=r"one of \['mass_0_5', 'mass_1_5', 'mass_2_5'\] \(got 'mass_9_5'\)"):
        Resimulator(0, 1, MeasurementNoise(), engine).stability(
            meeting(0.0), 7, COUNTERFACTUAL, Note(0, "", (), "mass_9_5")
        )

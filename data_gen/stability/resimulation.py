"""Simulates a set again from states with noise, and holds its options against what happens then.

A counterfactual run starts from the target's first frame with the property of the premise changed, as in the dataset. The
future starts from the last visible frame. The states are those of the annotation.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from comphy.dataset import layout
from comphy.dataset.annotations.annotation import VideoAnnotation, quaternions, read_annotation
from comphy.dataset.annotations.facts import facts_of
from comphy.dataset.checks.questions import verdict
from comphy.dataset.packs.rollouts import Pack, target_name
from comphy.errors import DatasetError
from comphy.programs.facts import Events, SceneFacts
from comphy.questions.model import SIMULATED_KINDS, Note, Question, QuestionKind, SceneQuestions, Stability
from comphy.scene.camera import Camera
from comphy.scene.events import Event, EventKind
from comphy.scene.objects import (
    STEPS_PER_FRAME,
    TARGET_VISIBLE_FRAMES,
    TIMESTEP,
    Change,
    InitialState,
    Video,
    apply_change,
    possible_changes,
)
from comphy.sim.bullet import Engine
from comphy.sim.event_detection import find_events
from comphy.sim.rollout import Collision, Rollout
from comphy.sim.tabletop import simulate
from comphy.sim.world import RELEASE_SECONDS
from data_gen.stability.noise import MeasurementNoise

LAST_VISIBLE: Final = TARGET_VISIBLE_FRAMES - 1
_RELEASE_STEPS: Final = round(RELEASE_SECONDS / TIMESTEP)


@dataclass(frozen=True)
class StoredTarget:
    """What is stored of a set's target: the video from its first frame and from its last visible one, the facts without
    counterfactual runs, and the collisions of its rollout."""

    start: Video
    end: Video
    facts: SceneFacts
    collisions: tuple[Collision, ...]


def read_target(root: Path, index: int) -> StoredTarget:
    """Raises `DatasetError` where the annotation does not hold whole states."""
    path = root / layout.target_annotation(index)
    target = read_annotation(path)
    return StoredTarget(
        _video(target, 0, str(path)),
        _video(target, LAST_VISIBLE, str(path)),
        facts_of(target, Camera(), {}),
        Pack(root / layout.rollouts(index)).video(target_name(index)).rollout.collisions,
    )


def _video(target: VideoAnnotation, frame: int, where: str) -> Video:
    """The target from a frame on."""
    if target.velocities is None or target.orientations is None or target.angular_velocities is None:
        raise DatasetError(
            f"{where}: expected velocity, orientation and angular_velocity of every object, which a simulation starts "
            "from. Stability is measured on generated datasets."
        )
    turns = quaternions(target.orientations[frame])
    tables = (target.locations[frame], turns, target.velocities[frame], target.angular_velocities[frame])
    states = tuple(
        InitialState(tuple(place), tuple(turn), tuple(velocity), tuple(spin))
        for place, turn, velocity, spin in zip(*(table.tolist() for table in tables), strict=True)
    )
    ids = tuple(range(len(target.objects)))
    return Video(target.objects, states, ids, TARGET_VISIBLE_FRAMES - frame, len(target) - frame)


@dataclass(frozen=True)
class Resimulator:
    """Measures the stability of questions. Run `r` of a question depends on the dataset's seed, the set, the question and
    `r` alone, and all options of the question are judged by the same run."""

    seed: int
    runs: int
    noise: MeasurementNoise
    engine: Engine

    def measured(self, root: Path, scene: SceneQuestions, notes: Sequence[Note]) -> tuple[Note, ...]:
        """The notes of a set with the stability of its predictive and counterfactual questions."""
        target = read_target(root, scene.scene_index)
        return tuple(
            replace(note, stability=self.stability(target, scene.scene_index, question, note))
            if question.kind in SIMULATED_KINDS
            else note
            for question, note in zip(scene.questions, notes, strict=True)
        )

    def stability(self, target: StoredTarget, index: int, question: Question, note: Note) -> Stability:
        """The shares of runs that give the stored answers."""
        same = np.array([self._same(target, index, question, note, run) for run in range(self.runs)], bool)
        shares = same.reshape(self.runs, len(question.choices))
        return Stability(self.runs, tuple(shares.mean(axis=0).tolist()), float(shares.all(axis=1).mean()))

    def _same(self, target: StoredTarget, index: int, question: Question, note: Note, run: int) -> list[bool]:
        """For each option, whether a run gives the stored answer."""
        rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(index, question.question_id, run)))
        if question.kind is QuestionKind.PREDICTIVE:
            facts = replace(target.facts, unseen=self._future(target, rng))
        else:
            change = _change(target.start, note.run)
            facts = replace(target.facts, counterfactual={change.key: self._counterfactual(target, change, rng)})
        return [verdict(question, choice, facts) is choice.correct for choice in question.choices]

    def _counterfactual(self, target: StoredTarget, change: Change, rng: np.random.Generator) -> Events:
        rollout = self._simulated(apply_change(target.start, change), rng)
        return tuple(Event(EventKind.COLLISION, c.step // rollout.steps_per_frame, c.pair) for c in rollout.collisions)

    def _future(self, target: StoredTarget, rng: np.random.Generator) -> Events:
        rollout = self._simulated(target.end, rng)
        fresh = replace(rollout, collisions=new_collisions(rollout.collisions, target.collisions))
        events = (
            replace(event, frame=event.frame + LAST_VISIBLE) for event in find_events(target.end, fresh, Camera())
        )
        return tuple(event for event in events if event.frame >= TARGET_VISIBLE_FRAMES)

    def _simulated(self, video: Video, rng: np.random.Generator) -> Rollout:
        return simulate(replace(video, initial=self.noise.disturbed(video.initial, rng)), self.engine)


def new_collisions(simulated: Sequence[Collision], recorded: Sequence[Collision]) -> tuple[Collision, ...]:
    """Of the collisions simulated from the last visible frame on, those that do not go on with a recorded touch: contacts
    of one pair that are closer together than the release time are one collision."""
    start = LAST_VISIBLE * STEPS_PER_FRAME
    last = {c.pair: min(c.last_step, start - 1) for c in recorded if c.step < start}  # later ones replace earlier ones
    return tuple(c for c in simulated if c.pair not in last or start + c.step - last[c.pair] > _RELEASE_STEPS)


def _change(video: Video, key: str) -> Change:
    changes = {change.key: change for change in possible_changes(video)}
    if key not in changes:
        raise DatasetError(
            f"Expected the run of a counterfactual question to be one of {sorted(changes)} (got '{key}')."
        )
    return changes[key]

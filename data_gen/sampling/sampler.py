"""Draws whole video sets by rejection sampling: every proposal is simulated and held against the rules."""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from comphy.errors import SamplingError
from comphy.scene.camera import Camera
from comphy.scene.events import Event, EventKind, charged_pairs
from comphy.scene.objects import Change, HiddenProperty, Video, VideoSet, apply_change, possible_changes
from comphy.scene.silhouette import views
from comphy.scene.vocabulary import HEAVY_MASS, OBJECT_RADIUS
from comphy.sim.bullet import Engine
from comphy.sim.event_detection import find_events, inside_scene
from comphy.sim.recording import RecordedSet, Recording
from comphy.sim.rollout import Rollout
from comphy.sim.tabletop import clip_of, simulate
from data_gen.sampling.looks import draw_family, draw_objects
from data_gen.sampling.reference import draw_reference, plan_casts
from data_gen.sampling.rules import Rejection, SceneRules
from data_gen.sampling.target import TargetDraw, draw_target

# Targets for which no references are found before the set is given up: the next one would hardly fare better.
FRUITLESS_TARGETS = 5
INTERACTIONS = (EventKind.COLLISION, EventKind.ATTRACTION, EventKind.REPULSION)


@dataclass(frozen=True)
class SampledSet(RecordedSet):
    """A recorded set, and how many draws were thrown away on the way to it, by reason."""

    rejections: Counter[Rejection] = field(default_factory=Counter)


class SetSampler:
    """Makes set i of a dataset from (seed, i) alone, so that any worker may make any set in any order."""

    def __init__(self, rules: SceneRules, seed: int, camera: Camera, engine: Engine) -> None:
        rules.check()
        self._rules = rules
        self._seed = seed
        self._camera = (
            Camera()
        )  # scenes are judged in the standard picture, so that one seed gives one scene at any size
        self._picture = camera
        self._engine = engine

    def draw(self, index: int) -> SampledSet:
        rng = np.random.default_rng(np.random.SeedSequence(self._seed, spawn_key=(index,)))
        rejections: Counter[Rejection] = Counter()
        family = draw_family(rng, self._rules)
        future = bool(rng.random() < self._rules.future_share)
        fruitless = 0
        for _ in range(self._rules.target_attempts):
            objects = draw_objects(rng, self._rules, family)
            draw = draw_target(rng, self._rules, objects, self._camera, self._engine, future)
            target = draw if isinstance(draw, Rejection) else self._accept_target(draw)
            if isinstance(target, Rejection):
                rejections[target] += 1
                continue
            references = self._draw_references(rng, target.video, rejections)
            if references is None:
                fruitless += 1
                if fruitless == FRUITLESS_TARGETS:
                    break
                continue
            scene = VideoSet(index, family, target.video, tuple(r.video for r in references))
            return SampledSet(scene, target, references, self._counterfactuals(target), rejections)
        reasons = "; ".join(f"{count} x {reason}" for reason, count in rejections.most_common())
        raise SamplingError(
            f"Set {index} (seed {self._seed}, family {family}): nothing met the rules in {self._rules.target_attempts} "
            f"attempts at a target with {self._rules.reference_attempts} at each of its references ({reasons}). "
            "Relax the rule that rejects most, or raise target_attempts or reference_attempts."
        )

    def _counterfactuals(self, target: Recording) -> dict[Change, Rollout]:
        runs = {}
        for change in possible_changes(target.video):
            known = target.uncharged is not None and change == _discharge(target.video)
            runs[change] = target.uncharged if known and target.uncharged else self._run(target.video, change)
        return runs

    def _run(self, video: Video, change: Change) -> Rollout:
        return simulate(apply_change(video, change), self._engine)

    def _accept_target(self, draw: TargetDraw) -> Recording | Rejection:
        if not self._on_table(draw.rollout):
            return Rejection.TOPPLED
        first_touch: dict[tuple[int, int], int] = {}
        for collision in draw.rollout.collisions:
            first_touch.setdefault(collision.pair, collision.step // draw.rollout.steps_per_frame)
        if draw.future_pair and first_touch.get(draw.future_pair, -1) < draw.video.visible_frames:
            return Rejection.FUTURE_MISSED
        return self._record(draw.video, draw.rollout)

    def _record(self, video: Video, rollout: Rollout) -> Recording | Rejection:
        """The recording, if its objects are seen and something happens in view."""
        seen = views(clip_of(video, rollout), self._camera)
        frames_seen = (seen.visibility >= self._rules.min_visibility).sum(axis=0)
        if (frames_seen < self._rules.min_visible_frames).any():
            return Rejection.UNSEEN
        if self._picture != self._camera:
            seen = views(clip_of(video, rollout), self._picture)
        discharge = _discharge(video)
        uncharged = self._run(video, discharge) if discharge else None
        events = find_events(video, rollout, self._camera, uncharged)
        if not self._interactions_in_view(video, rollout, events):
            return Rejection.NO_INTERACTION
        return Recording(video, rollout, events, seen, uncharged)

    def _interactions_in_view(self, video: Video, rollout: Rollout, events: tuple[Event, ...]) -> list[Event]:
        inside = inside_scene(rollout, self._camera)
        return [
            event
            for event in events
            if event.kind in INTERACTIONS
            and event.frame < video.visible_frames
            and all(inside[event.frame, i] for i in event.objects)
        ]

    def _draw_references(
        self, rng: np.random.Generator, target: Video, rejections: Counter[Rejection]
    ) -> tuple[Recording, ...] | None:
        recordings = []
        for pair, cast in plan_casts(rng, target.objects):
            for _ in range(self._rules.reference_attempts):
                video = draw_reference(rng, target.objects, pair, cast, self._camera)
                recording = self._accept_reference(video, pair)
                if isinstance(recording, Recording):
                    recordings.append(recording)
                    break
                rejections[recording] += 1
            else:
                return None
        return tuple(recordings)

    def _accept_reference(self, video: Video, pair: tuple[int, int]) -> Recording | Rejection:
        """A reference must show the interaction of the pair it was made for."""
        if _closest(video) < self._rules.min_gap:
            return Rejection.TOO_CLOSE
        rollout = simulate(video, self._engine)
        if not self._on_table(rollout):
            return Rejection.TOPPLED
        recording = self._record(video, rollout)
        if isinstance(recording, Rejection):
            return recording
        local = tuple(sorted(video.object_ids.index(k) for k in pair))
        shown = {
            event.kind
            for event in self._interactions_in_view(video, rollout, recording.events)
            if event.objects == local
        }
        specs = [video.objects[k] for k in local]
        if all(spec.charge for spec in specs) and not shown & {EventKind.ATTRACTION, EventKind.REPULSION}:
            return Rejection.CHARGE_HIDDEN
        if any(spec.mass == HEAVY_MASS for spec in specs) and EventKind.COLLISION not in shown:
            return Rejection.MASS_HIDDEN if not all(spec.charge for spec in specs) else recording
        return recording if shown else Rejection.NO_INTERACTION

    def _on_table(self, rollout: Rollout) -> bool:
        return bool((np.abs(rollout.positions[..., 2] - OBJECT_RADIUS) <= self._rules.max_height_error).all())


def _discharge(video: Video) -> Change | None:
    """The change that removes all electric force: to discharge one object of the pair is enough."""
    pairs = charged_pairs(video)
    return Change(pairs[0][0], HiddenProperty.CHARGE, 0) if pairs else None


def _closest(video: Video) -> float:
    points = np.array([state.position[:2] for state in video.initial])
    distances = np.linalg.norm(points[:, None] - points[None], axis=-1)
    return float(distances[np.triu_indices(len(points), 1)].min())

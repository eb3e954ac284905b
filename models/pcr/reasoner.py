"""The Physical Concept Reasoner: from perceived sets to all that programs can ask about them.

Shapes: S sets, R references, T frames, N objects, P pairs, B questions.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import torch
from torch import Tensor, nn

from comphy.errors import did_you_mean
from comphy.programs.types import Premise
from comphy.scene.objects import TARGET_TOTAL_FRAMES, TARGET_VISIBLE_FRAMES
from models.pcr.dynamics import Bodies, Dynamics
from models.pcr.encounters import encounter_features
from models.pcr.grounder import Grounder, Looks, collision_events
from models.pcr.observed import Observed, mapped
from models.pcr.paper.dynamics import PaperDynamics
from models.pcr.paper.inferencer import PaperInferencer
from models.pcr.peaks import find_peaks
from models.pcr.properties import Evidence, PropertyInferencer
from models.pcr.rollout import Imagined, Recording, foresee, suppose
from models.pcr.scene import SoftEvents, SoftScene

OBJECTS: Final = 5
FUTURE_FRAMES: Final = TARGET_TOTAL_FRAMES - TARGET_VISIBLE_FRAMES
INFERENCERS: Final[dict[str, type[PropertyInferencer | PaperInferencer]]] = {
    "motion": PropertyInferencer,
    "paper": PaperInferencer,
}
DYNAMICS: Final[dict[str, type[Dynamics | PaperDynamics]]] = {"ground": Dynamics, "paper": PaperDynamics}
POOLS: Final = {"sum": "sum", "max": "amax"}
_IMAGINED_COLLISIONS: Final = 2  # slots of a pair
_APART: Final = 3
_PREMISES: Final = tuple(Premise)
_TRUST: Final = 0.05  # of a gain, which counts neighbouring frames as if they were independent
_DOUBT: Final = 40.0


@dataclass(frozen=True)
class ReasonerSettings:
    """The architecture; a checkpoint fits only the settings it was trained with."""

    features: int = 512
    hidden: int = 64
    looks: int = 128  # hidden units between features and static concepts; 0: one layer, as in the paper
    axes: int = 256  # main axes along which features are seen, all as wide as each other; 0: features as they are
    all_views: bool = True  # an object looks as all videos together show it, not as the target alone does
    replay: bool = True  # counterfactuals follow the recording until the change can reach an object
    references: bool = True  # hidden properties are inferred from the reference videos, too
    one_of_a_kind: bool = True  # a set has at most one heavy object and one charged pair, as the paper says
    inferencer: str = "motion"  # reads motion relative to other objects; paper: whole paths in the picture (Eq. 2)
    dynamics: str = "ground"  # forces along the line between two objects; paper: absolute places (Eq. 3)
    second_look: bool = True  # properties are held against the motion that they explain
    pool: str = "sum"  # of what the videos of a set tell; max, as in the paper

    def __post_init__(self) -> None:
        choices = (("inferencer", set(INFERENCERS)), ("dynamics", set(DYNAMICS)), ("pool", set(POOLS)))
        for name, known in choices:
            chosen = getattr(self, name)
            if chosen not in known:
                raise ValueError(f"unknown {name} '{chosen}'; {did_you_mean(chosen, known)}")


class Reasoner(nn.Module):
    pair_numbers: Tensor

    def __init__(self, settings: ReasonerSettings) -> None:
        super().__init__()
        self.settings = settings
        self.grounder = Grounder(settings.features, OBJECTS, settings.hidden, settings.looks, settings.axes)
        self.inferencer = INFERENCERS[settings.inferencer](OBJECTS, settings.hidden)
        self.dynamics = DYNAMICS[settings.dynamics](OBJECTS)
        self.none_heavy = nn.Parameter(torch.tensor(0.0))
        self.none_charged = nn.Parameter(torch.tensor(0.0))
        self.trust = nn.Parameter(torch.tensor([_TRUST, _TRUST]).log())  # in a second look, at masses and at charges
        self.doubt = nn.Parameter(torch.tensor([_DOUBT, _DOUBT]))  # gains below are taken for chance
        self.register_buffer("pair_numbers", _pair_numbers(self.dynamics.pairs), persistent=False)

    def property_parameters(self) -> Iterator[nn.Parameter]:
        """Of all that infers hidden properties."""
        yield from self.inferencer.parameters()
        yield self.trust
        yield self.doubt
        yield self.none_heavy
        yield self.none_charged

    def scene(self, observed: Observed, hidden: bool = True, hard: bool = False) -> SoftScene:
        """All that is known of the sets. Without `hidden` the properties that no picture shows are left at zero; with
        `hard` what is imagined is based on the likeliest properties instead of their chances."""
        looks = self.looks(observed)
        seen = self.grounder.happenings(observed, looks.shape)
        heavy, same, opposite = self.properties(observed, looks) if hidden else self._unknown(observed)
        moving = seen.moving * seen.shown
        showing = seen.shown.sum(dim=1).clamp(min=1.0)
        scene = SoftScene(
            objects=observed.objects.to(heavy.dtype),
            color=looks.color,
            shape=looks.shape,
            material=looks.material,
            shown=seen.shown,
            moving=seen.moving,
            direction=seen.direction,
            ever_moving=moving.amax(dim=1),
            main_direction=(seen.direction * moving[..., None]).sum(dim=1) / showing[..., None],
            heavy=heavy,
            same=same,
            opposite=opposite,
            events=seen.events,
        )
        return replace(scene, imagination=Mind(self, observed, scene, hard)) if hidden else scene

    def looks(self, observed: Observed) -> Looks:
        """Of the target's objects, as all videos show them."""
        scores: tuple[Tensor, ...] = self.grounder.look_scores(observed.features)
        if self.settings.all_views and self.settings.references:
            owners = observed.owners.masked_fill(observed.owners < 0, OBJECTS).flatten(1)[..., None]
            others = (part.flatten(1, 2) for part in self.grounder.look_scores(observed.reference_features))
            scores = tuple(
                nn.functional.pad(mine, (0, 0, 0, 1)).scatter_add(1, owners.expand_as(more), more)[:, :-1]
                for mine, more in zip(scores, others, strict=True)
            )
        return Looks(*(torch.softmax(score, dim=-1) for score in scores))

    def properties(self, observed: Observed, looks: Looks) -> tuple[Tensor, Tensor, Tensor]:
        """heavy [S, N], same and opposite [S, P]: chances."""
        evidence = self.inferencer(observed.target, looks.shape, observed.objects)
        if self.settings.references:
            evidence = self._with_references(observed, evidence)
        there = observed.objects
        both = there[:, self.dynamics.pairs[:, 0]] & there[:, self.dynamics.pairs[:, 1]]
        charge = evidence.charge - evidence.charge[..., :1]
        if observed.explained is not None:
            trust = self.trust.exp()
            evidence = replace(evidence, heavy=evidence.heavy + trust[0] * (observed.explained.heavy - self.doubt[0]))
            gains = trust[1] * (observed.explained.charge - self.doubt[1])
            charge = torch.cat([charge[..., :1], charge[..., 1:] + gains], dim=-1)
        if not self.settings.one_of_a_kind:
            chances = torch.softmax(charge, dim=-1) * both[..., None]
            return torch.sigmoid(evidence.heavy - self.none_heavy) * there, chances[..., 1], chances[..., 2]
        never = torch.finfo(charge.dtype).min / 4
        heavy = torch.where(there, evidence.heavy, never)
        alone = torch.softmax(torch.cat([heavy, self.none_heavy.expand(len(heavy), 1)], dim=1), dim=1)[:, :-1]
        kinds = torch.where(both[..., None], charge[..., 1:], never).flatten(1)
        one = torch.softmax(torch.cat([kinds, self.none_charged.expand(len(kinds), 1)], dim=1), dim=1)[:, :-1]
        same, opposite = one.unflatten(1, (-1, 2)).unbind(dim=-1)
        return alone, same, opposite

    def bodies(self, scene: SoftScene, rows: Tensor, hard: bool) -> Bodies:
        """What the dynamics predictor has to know about the sets in `rows`."""
        heavy, charge = scene.heavy[rows], (scene.same - scene.opposite)[rows]
        shape = scene.shape[rows]
        if hard:
            heavy = (heavy > 0.5).to(shape.dtype)
            charge = torch.where(charge.abs() > 0.5, charge.sign(), 0.0)
            shape = nn.functional.one_hot(shape.argmax(dim=-1), shape.shape[-1]).to(shape.dtype)
        return Bodies(shape, heavy, charge, scene.objects[rows] > 0)

    def collisions(self, imagined: Imagined, shape: Tensor, first: int) -> SoftEvents:
        """Collisions of an imagined motion from the frame `first` on."""
        pairs = self.dynamics.pairs
        features = encounter_features(imagined.position, imagined.there, shape, pairs)
        scores = self.grounder.collision_scores(features)
        both = imagined.there[..., pairs[:, 0]] & imagined.there[..., pairs[:, 1]]
        frames = torch.arange(scores.shape[1], device=scores.device) + imagined.start
        possible = both & (frames >= first)[:, None]
        peaks = find_peaks(scores, possible, _IMAGINED_COLLISIONS, _APART, imagined.start)
        return collision_events(peaks, pairs, OBJECTS)

    def _with_references(self, observed: Observed, evidence: Evidence) -> Evidence:
        """What the references tell, pooled with what the target tells about the same objects and pairs."""
        reduce = POOLS[self.settings.pool]
        sets, pairs = len(observed), self.dynamics.pairs
        videos = mapped(observed.references, lambda tensor: tensor.flatten(0, 1))
        shape = self.grounder.looks(observed.reference_features).shape.flatten(0, 1)
        told = self.inferencer(videos, shape, observed.reference_tracks.flatten(0, 1))
        owners = observed.owners.masked_fill(observed.owners < 0, OBJECTS)  # nobody's evidence goes to a place beyond
        numbers = self.pair_numbers[owners[..., pairs[:, 0]], owners[..., pairs[:, 1]]].flatten(1)
        heavy = nn.functional.pad(evidence.heavy, (0, 1)).scatter_reduce(
            1, owners.flatten(1), told.heavy.reshape(sets, -1), reduce
        )
        charge = nn.functional.pad(evidence.charge, (0, 0, 0, 1)).scatter_reduce(
            1, numbers[..., None].expand(-1, -1, told.charge.shape[-1]), told.charge.reshape(sets, -1, 3), reduce
        )
        return Evidence(heavy[:, :-1], charge[:, :-1])

    def _unknown(self, observed: Observed) -> tuple[Tensor, Tensor, Tensor]:
        heavy = observed.features.new_zeros(observed.objects.shape)
        pairs = observed.features.new_zeros(len(observed), len(self.dynamics.pairs))
        return heavy, pairs, pairs


@dataclass(frozen=True)
class Mind:
    """Imagines what programs ask for (`models.pcr.scene.Imagination`)."""

    reasoner: Reasoner
    observed: Observed
    scene: SoftScene
    hard: bool

    def future(self, rows: Tensor) -> SoftEvents:
        imagined, bodies = self.foreseen(rows)
        return self.reasoner.collisions(imagined, bodies.shape, TARGET_VISIBLE_FRAMES)

    def counterfactual(self, rows: Tensor, who: Tensor, premise: Tensor) -> SoftEvents:
        imagined, bodies = self.supposed(rows, who, premise)
        return self.reasoner.collisions(imagined, bodies.shape, 0)

    def removal(self, rows: Tensor, who: Tensor) -> SoftEvents:
        """Whatever the object would have touched, or pulled at, goes on without it."""
        before = self.reasoner.bodies(self.scene, rows, self.hard)
        gone = who == who.amax(dim=1, keepdim=True)
        pairs = self.reasoner.dynamics.pairs
        alone = (~(gone[:, pairs[:, 0]] | gone[:, pairs[:, 1]])).to(before.charge.dtype)
        at_once = _charged(before.charge * (1 - alone), pairs, who.shape[1])
        after = replace(before, there=before.there & ~gone, charge=before.charge * alone)
        recording = self._recording(rows)
        imagined = suppose(self.reasoner.dynamics, recording, after, gone, at_once, self.reasoner.settings.replay)
        return self.reasoner.collisions(imagined, after.shape, 0)

    def foreseen(self, rows: Tensor) -> tuple[Imagined, Bodies]:
        bodies = self.reasoner.bodies(self.scene, rows, self.hard)
        return foresee(self.reasoner.dynamics, self._recording(rows), bodies, FUTURE_FRAMES), bodies

    def supposed(self, rows: Tensor, who: Tensor, premise: Tensor) -> tuple[Imagined, Bodies]:
        """The video as it would be if the premise [B] held for the object `who` [B, N]."""
        before = self.reasoner.bodies(self.scene, rows, self.hard)
        if self.hard:
            who = nn.functional.one_hot(who.argmax(dim=1), who.shape[1]).to(who.dtype)
        changed = who == who.amax(dim=1, keepdim=True)
        charged = _charged(before.charge, self.reasoner.dynamics.pairs, who.shape[1])
        about_charge = premise >= _PREMISES.index(Premise.UNCHARGED)
        at_once = charged & (about_charge | (changed & charged).any(dim=1))[:, None]
        after = _changed(before, who, premise, self.reasoner.dynamics.pairs)
        return suppose(
            self.reasoner.dynamics, self._recording(rows), after, changed, at_once, self.reasoner.settings.replay
        ), after

    def _recording(self, rows: Tensor) -> Recording:
        target = self.observed.target
        return Recording.of(target.tracks, target.motion).rows(rows)


def _changed(bodies: Bodies, who: Tensor, premise: Tensor, pairs: Tensor) -> Bodies:
    """The bodies under a premise, as far as it is about each of them."""
    is_premise = [(premise == number)[:, None].to(who.dtype) for number in range(len(_PREMISES))]
    chance = dict(zip(_PREMISES, is_premise, strict=True))
    to_heavy, to_light = who * chance[Premise.HEAVIER], who * chance[Premise.LIGHTER]
    heavy = bodies.heavy * (1 - to_heavy - to_light) + to_heavy
    factor = 1 - who * chance[Premise.UNCHARGED] - 2 * who * chance[Premise.OPPOSITE]
    return replace(bodies, heavy=heavy, charge=bodies.charge * factor[:, pairs[:, 0]] * factor[:, pairs[:, 1]])


def _charged(charge: Tensor, pairs: Tensor, objects: int) -> Tensor:
    """[B, N]: objects of pairs that are likely charged."""
    likely = (charge.abs() > 0.5).int()
    found = likely.new_zeros(len(charge), objects)
    return found.index_add(1, pairs[:, 0], likely).index_add(1, pairs[:, 1], likely) > 0


def _pair_numbers(pairs: Tensor) -> Tensor:
    """[N + 1, N + 1]: the number of a pair in either order; P where it is none."""
    numbers = torch.full((OBJECTS + 1, OBJECTS + 1), len(pairs))
    for number, (first, second) in enumerate(pairs.tolist()):
        numbers[first, second] = numbers[second, first] = number
    return numbers

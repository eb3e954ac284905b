"""What `diagnosis` puts the truth in place of, and the scenes of a batch of sets that come of it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Final

from models.pcr.dynamics.fitting.state_fit import known_motion
from models.pcr.dynamics.predictor import Dynamics
from models.pcr.evaluation.true_motion import FollowedImagination
from models.pcr.evaluation.true_scene import true_scene
from models.pcr.evaluation.true_sets import TrueSet
from models.pcr.evaluation.true_states import TrueStates, padded
from models.pcr.executor.soft_scene import SoftScene
from models.pcr.reasoner.fitting import likely_bodies, refit_targets, with_target_states
from models.pcr.reasoner.imagination import LearnedImagination
from models.pcr.reasoner.reasoner import OBJECTS, Reasoner
from models.pcr.tracks.observed import Observed
from models.pcr.tracks.tensor_trees import mapped


class Module(StrEnum):
    ATTRIBUTES = "attributes"
    EVENTS = "events"
    PROPERTIES = "properties"
    STATES = "states"
    LAWS = "laws"
    MOTION = "motion"
    DYNAMICS = "dynamics"
    LANGUAGE = "language"


@dataclass(frozen=True)
class Replacement:
    """The modules that the truth stands in for, and what that means in words."""

    modules: tuple[Module, ...]
    meaning: str


_PERCEPTION: Final = (Module.ATTRIBUTES, Module.EVENTS)
REPLACEMENTS: Final[Mapping[str, Replacement]] = {
    "nothing": Replacement((), "the reasoner as it is"),
    "perception": Replacement(_PERCEPTION, "attributes and events"),
    "attributes": Replacement((Module.ATTRIBUTES,), "colours, shapes and materials"),
    "events": Replacement(
        (Module.EVENTS,),
        "what is recognised in the states of the video: presence, movement, directions, entrances, exits and collisions",
    ),
    "properties": Replacement((Module.PROPERTIES,), "masses and charges"),
    "perception and properties": Replacement((*_PERCEPTION, Module.PROPERTIES), "both"),
    "states": Replacement(
        (Module.STATES,),
        "places, velocities, yaw and spin in all frames of the target, also out of the picture; events are read off them, "
        "and imagined motion starts from them",
    ),
    "laws": Replacement(
        (Module.LAWS,),
        "the simulator's constants in the predictor; the states of the target are fitted again under them",
    ),
    "states and laws": Replacement((Module.STATES, Module.LAWS), "both"),
    "all that enters the predictor": Replacement(
        (*_PERCEPTION, Module.PROPERTIES, Module.STATES, Module.LAWS),
        "perception, properties, states and laws; what is left is the form of the predictor",
    ),
    "motion": Replacement(
        (Module.MOTION,),
        "the simulated motion after the video and under premises; its collisions are still the predictor's impacts, one "
        "frame ahead",
    ),
    "dynamics": Replacement((Module.DYNAMICS,), "the collisions after the video and under premises"),
    "language": Replacement((Module.LANGUAGE,), "programs"),
    # With these no answer depends on states, laws or motion any more.
    "everything": Replacement(
        (*_PERCEPTION, Module.PROPERTIES, Module.DYNAMICS, Module.LANGUAGE),
        "perception, properties, dynamics and language",
    ),
}
_ENTERING: Final = frozenset({Module.ATTRIBUTES, Module.PROPERTIES, Module.STATES, Module.LAWS})  # the predictor
_FIELDS: Final[Mapping[Module, tuple[str, ...]]] = {
    Module.ATTRIBUTES: ("color", "shape", "material"),
    Module.EVENTS: ("shown", "moving", "direction", "ever_moving", "main_direction", "events"),
    Module.PROPERTIES: ("heavy", "same", "opposite"),
}


@dataclass(frozen=True)
class Replacer:
    """A batch of sets, aligned and refined, whose tracks are their objects one to one, with what is true of them. `laws`:
    the simulator's."""

    reasoner: Reasoner
    seen: Observed
    truth: Sequence[TrueSet]
    states: Sequence[TrueStates]
    laws: Dynamics

    def scene(self, modules: Collection[Module]) -> SoftScene:
        """The scene of the sets with the truth in place of some modules."""
        basis = self._entering(frozenset(_ENTERING.intersection(modules)))
        scene = _told(basis, self._true, modules)
        if Module.DYNAMICS in modules:
            return replace(scene, imagination=self._true.imagination)
        if Module.MOTION in modules:
            return replace(scene, imagination=FollowedImagination.of(_learned(basis), self.truth, self.states))
        return scene

    def _entering(self, modules: frozenset[Module]) -> SoftScene:
        """The scene with these modules replaced. It is made once: what is imagined depends on nothing else, and rows of the
        table share the rollouts."""
        if modules not in self._scenes:
            scene = self._read(modules)
            known = _told(scene, self._true, modules)
            self._scenes[modules] = replace(known, imagination=replace(_learned(scene), scene=known))
        return self._scenes[modules]

    @cached_property
    def _scenes(self) -> dict[frozenset[Module], SoftScene]:
        return {}

    @cached_property
    def _true(self) -> SoftScene:
        scene = true_scene([one.facts_of_tracks for one in self.truth], OBJECTS)
        return mapped(scene, lambda tensor: tensor.to(self.seen.objects.device))

    def _read(self, modules: Collection[Module]) -> SoftScene:
        """What the reasoner itself makes of states and laws, which may be true."""
        states, laws = Module.STATES in modules, Module.LAWS in modules
        observed = self.seen
        if states:
            observed = self._with_states(self.laws if laws else self.reasoner.dynamics)
        elif laws:
            observed = refit_targets(self.reasoner, observed, self.laws)
        scene = self.reasoner.scene(observed, hard=True)
        return replace(scene, imagination=replace(_learned(scene), dynamics=self.laws)) if laws else scene

    def _with_states(self, laws: object) -> Observed:
        """The same sets with the true states of their targets; what they say of contacts depends on the laws."""
        assert isinstance(laws, Dynamics)
        tracks = self.seen.target.tracks
        frames, objects = tracks.present.shape[1:]
        states = padded([one.target[:frames] for one in self.states], objects).to(self.seen.objects.device)
        bodies = likely_bodies(self.reasoner, self.seen)
        return with_target_states(self.seen, known_motion(laws, bodies, tracks, states))


def _told(scene: SoftScene, true: SoftScene, modules: Collection[Module]) -> SoftScene:
    """The scene with the truth in place of what some modules say about the video."""
    return replace(scene, **{name: getattr(true, name) for module in modules for name in _FIELDS.get(module, ())})


def _learned(scene: SoftScene) -> LearnedImagination:
    assert isinstance(scene.imagination, LearnedImagination)
    return scene.imagination

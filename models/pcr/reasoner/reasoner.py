"""The Physical Concept Reasoner: from perceived sets to all that programs can ask about them.

Shapes: S sets, R references, N objects, P pairs.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import torch
from torch import Tensor, nn

from models.pcr.executor.soft_scene import SoftScene
from models.pcr.grounding.grounder import Grounder, Looks
from models.pcr.grounding.views import of_one_view, over_all_views
from models.pcr.properties.inferencer import Evidence
from models.pcr.reasoner.imagination import Mind
from models.pcr.reasoner.settings import DYNAMICS, INFERENCERS, POOLS, ReasonerSettings
from models.pcr.tracks.observed import Observed, mapped

OBJECTS: Final = 5
_TRUST: Final = 0.05  # of a gain, which counts neighbouring frames as if they were independent
DOUBT: Final = 40.0


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
        self.doubt = nn.Parameter(torch.tensor([DOUBT, DOUBT]))  # gains below are taken for chance
        self.register_buffer("pair_numbers", _pair_numbers(self.dynamics.pairs), persistent=False)

    def property_parameters(self) -> Iterator[nn.Parameter]:
        """Of all that infers hidden properties."""
        yield from self.inferencer.parameters()
        yield self.trust
        yield self.doubt
        yield self.none_heavy
        yield self.none_charged

    def scene(self, observed: Observed, hidden: bool = True, hard: bool = False, one_view: bool = False) -> SoftScene:
        """All that is known of the sets. Without `hidden` the properties that no picture shows are left at zero; with
        `hard` what is imagined is based on the likeliest properties instead of their chances; with `one_view` objects
        look as one of their videos shows them."""
        looks = self.looks(observed, one_view)
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
        if not hidden:
            return scene
        mind = Mind(self.dynamics, self.grounder, self.settings.replay, observed, scene, hard)
        return replace(scene, imagination=mind)

    def looks(self, observed: Observed, one_view: bool = False) -> Looks:
        """Of the target's objects, as all videos show them; with `one_view`, as one of them does, partly covered: what
        is learned from whole views is single objects by heart, with what their wrongly understood questions say."""
        covered = self.settings.covered if one_view else 0.0
        scores: tuple[Tensor, ...] = self.grounder.look_scores(observed.features, covered)
        if self.settings.all_views and self.settings.references:
            owners = observed.owners.masked_fill(observed.owners < 0, OBJECTS).flatten(1)
            seen = self.grounder.look_scores(observed.reference_features, covered)
            others = [part.flatten(1, 2) for part in seen]
            scores = (of_one_view if one_view else over_all_views)(scores, others, owners)
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


def _pair_numbers(pairs: Tensor) -> Tensor:
    """[N + 1, N + 1]: the number of a pair in either order; P where it is none."""
    numbers = torch.full((OBJECTS + 1, OBJECTS + 1), len(pairs))
    for number, (first, second) in enumerate(pairs.tolist()):
        numbers[first, second] = numbers[second, first] = number
    return numbers

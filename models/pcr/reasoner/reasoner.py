"""The Physical Concept Reasoner: from observed sets to soft scenes, all that programs can ask about them.

Shapes: S sets, R references, N objects, P pairs.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import torch
from torch import Tensor, nn

from models.pcr.dynamics.paper_predictor import DPIDynamics, PaperDynamics
from models.pcr.dynamics.predictor import Dynamics
from models.pcr.executor.soft_scene import SoftScene, both_of, pair_numbers
from models.pcr.grounding.grounder import Attributes, Grounder
from models.pcr.grounding.views import sample_one_view, sum_over_views
from models.pcr.properties.inferencer import PropertyInferencer
from models.pcr.properties.message_passing import Evidence
from models.pcr.properties.property_learner import PropertyLearner
from models.pcr.reasoner.imagination import LearnedImagination
from models.pcr.reasoner.recalibration import Recalibrations
from models.pcr.reasoner.settings import ReasonerSettings
from models.pcr.tracks.observed import Observed
from models.pcr.tracks.tensor_trees import mapped

if TYPE_CHECKING:
    from models.pcr.properties.paper_inferencer import PaperInferencer

OBJECTS: Final = 5
# Initial scales and biases of refinement gains. Gains of predicted windows count neighbouring frames as if they were
# independent; those of likelihoods are nats, though of a model that is not exact.
_OF_WINDOWS: Final = (0.05, 40.0)
_OF_LIKELIHOOD: Final = (0.2, 10.0)
_DYNAMICS: Final[dict[str, type[Dynamics | PaperDynamics]]] = {
    "rigid_body": Dynamics,
    "paper": PaperDynamics,
    "dpi": DPIDynamics,
}
_CPL_UNITS: Final = 8  # hidden units of CPL's property learner for each of ours: 512, as published
_POOLS: Final = {"sum": "sum", "max": "amax"}  # arguments of `scatter_reduce`


def _inferencer(settings: ReasonerSettings) -> "PropertyInferencer | PaperInferencer | PropertyLearner":
    """The paper's is imported when it is wanted: it is built of torch-geometric, which takes seconds to import."""
    if settings.inferencer == "paper":
        from models.pcr.properties.paper_inferencer import PaperInferencer

        return PaperInferencer(OBJECTS, settings.hidden)
    if settings.inferencer == "cpl":
        return PropertyLearner(OBJECTS, _CPL_UNITS * settings.hidden)
    return PropertyInferencer(OBJECTS, settings.hidden)


class Reasoner(nn.Module):
    """Grounder, property inferencer and dynamics predictor, and what weighs their evidence.

    Args:
        settings: sizes, and the parts that are switched on."""

    pair_numbers: Tensor

    def __init__(self, settings: ReasonerSettings) -> None:
        super().__init__()
        self.settings = settings
        self.recalibrations: Recalibrations = {}  # of its confidence; fitted after training, they change no answer
        self.grounder = Grounder(
            settings.features, OBJECTS, settings.hidden, settings.attribute_hidden, settings.pca_components
        )
        self.inferencer = _inferencer(settings)
        self.dynamics = _DYNAMICS[settings.dynamics](OBJECTS)
        self.none_heavy = nn.Parameter(torch.tensor(0.0))  # logit of a set without a heavy object
        self.none_charged = nn.Parameter(torch.tensor(0.0))  # logit of a set without a charged pair
        # Of masses and of charges: refinement gains count exp(scale) * (gain - bias) logits.
        gains = torch.tensor([_OF_WINDOWS, _OF_LIKELIHOOD if settings.fits_states else _OF_WINDOWS])
        self.refinement_scale = nn.Parameter(gains[:, 0].log())
        self.refinement_bias = nn.Parameter(gains[:, 1].clone())
        self.register_buffer("pair_numbers", pair_numbers(self.dynamics.pairs, OBJECTS), persistent=False)

    def property_parameters(self) -> Iterator[nn.Parameter]:
        """List the parameters that infer hidden properties.

        Yields:
            The parameters."""
        yield from self.inferencer.parameters()
        yield self.refinement_scale
        yield self.refinement_bias
        yield self.none_heavy
        yield self.none_charged

    def scene(self, observed: Observed, hidden: bool = True, hard: bool = False, one_view: bool = False) -> SoftScene:
        """Interpret sets: the soft scene on which programs are executed.

        Args:
            observed: S sets.
            hidden: whether to infer mass and charge and to imagine motion; without it, they are left at zero.
            hard: whether motion is imagined under the most likely properties instead of their probabilities.
            one_view: whether attributes are read off one random view of each object, with dropout, as in training.

        Returns:
            The scene, with a row for each set."""
        attributes = self.attributes(observed, one_view)
        seen = self.grounder.observe_events(observed, attributes.shape)
        heavy, same, opposite = self.properties(observed, attributes) if hidden else self._unknown(observed)
        moving = seen.moving * seen.shown
        showing = seen.shown.sum(dim=1).clamp(min=1.0)
        scene = SoftScene(
            objects=observed.objects.to(heavy.dtype),
            color=attributes.color,
            shape=attributes.shape,
            material=attributes.material,
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
        follow, spread = self.settings.follow_recording, self.settings.posterior_spread
        imagination = LearnedImagination(self.dynamics, follow, observed, scene, hard, spread)
        return replace(scene, imagination=imagination)

    def attributes(self, observed: Observed, one_view: bool = False) -> Attributes:
        """Read the attributes of the target's objects.

        Args:
            observed: S sets.
            one_view: whether to use one random view with feature dropout, which keeps the grounder from memorising
                single objects of the training sets, instead of all videos.

        Returns:
            Distributions of colour, shape and material, [S, N, words]."""
        dropout = self.settings.feature_dropout if one_view else 0.0
        scores: tuple[Tensor, ...] = self.grounder.attribute_scores(observed.features, dropout)
        if self.settings.all_views and self.settings.references:
            owners = observed.owners.masked_fill(observed.owners < 0, OBJECTS).flatten(1)
            seen = self.grounder.attribute_scores(observed.reference_features, dropout)
            others = [part.flatten(1, 2) for part in seen]
            scores = (sample_one_view if one_view else sum_over_views)(scores, others, owners)
        return Attributes(*(torch.softmax(score, dim=-1) for score in scores))

    def properties(self, observed: Observed, attributes: Attributes) -> tuple[Tensor, Tensor, Tensor]:
        """Infer the hidden properties of objects and pairs.

        Args:
            observed: S sets.
            attributes: of their objects.

        Returns:
            Three tables of probabilities: heavy [S, N], of the same charge [S, P], of opposite charges [S, P]."""
        evidence = self.inferencer(observed.target, attributes.shape, observed.objects)
        if self.settings.references:
            evidence = self._with_references(observed, evidence)
        there = observed.objects
        both = both_of(there, self.dynamics.pairs)
        charge = evidence.charge - evidence.charge[..., :1]
        if observed.refinement is not None:
            scale, bias = self.refinement_scale.exp(), self.refinement_bias
            evidence = replace(evidence, heavy=evidence.heavy + scale[0] * (observed.refinement.heavy - bias[0]))
            gains = scale[1] * (observed.refinement.charge - bias[1])
            charge = torch.cat([charge[..., :1], charge[..., 1:] + gains], dim=-1)
        if not self.settings.exclusive_properties:
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
        """The evidence of the references, pooled with that of the target about the same objects and pairs."""
        reduce = _POOLS[self.settings.pool]
        sets, pairs = len(observed), self.dynamics.pairs
        videos = mapped(observed.references, lambda tensor: tensor.flatten(0, 1))
        shape = self.grounder.attributes(observed.reference_features).shape.flatten(0, 1)
        found = self.inferencer(videos, shape, observed.reference_tracks.flatten(0, 1))
        owners = observed.owners.masked_fill(
            observed.owners < 0, OBJECTS
        )  # evidence about no object of the target goes to an extra place
        numbers = self.pair_numbers[owners[..., pairs[:, 0]], owners[..., pairs[:, 1]]].flatten(1)
        heavy = nn.functional.pad(evidence.heavy, (0, 1)).scatter_reduce(
            1, owners.flatten(1), found.heavy.reshape(sets, -1), reduce
        )
        charge = nn.functional.pad(evidence.charge, (0, 0, 0, 1)).scatter_reduce(
            1, numbers[..., None].expand(-1, -1, found.charge.shape[-1]), found.charge.reshape(sets, -1, 3), reduce
        )
        return Evidence(heavy[:, :-1], charge[:, :-1])

    def _unknown(self, observed: Observed) -> tuple[Tensor, Tensor, Tensor]:
        heavy = observed.features.new_zeros(observed.objects.shape)
        pairs = observed.features.new_zeros(len(observed), len(self.dynamics.pairs))
        return heavy, pairs, pairs

"""The curriculum (5.2.1): visible properties, hidden properties, dynamics, calibration of property refinement, events of
fitted motion, and joint training of everything.

A stage is a loss and the parameters that it trains. Its batches depend on the seed, the stage and the step alone, so that a
run that was stopped goes on as if it had not been.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from comphy.errors import ComphyError
from comphy.questions.model import SceneQuestions
from models.pcr.dynamics.predictor import Dynamics
from models.pcr.dynamics.recorded_trajectories import RecordedTrajectories, rollout_loss, window_starts
from models.pcr.dynamics.state import Bodies
from models.pcr.executor.answers import answer_losses, run
from models.pcr.executor.soft_scene import SoftScene
from models.pcr.grounding.alignment import aligned_by_attributes
from models.pcr.reasoner.fitting import fit_motion_of, likely_bodies, refit_motion
from models.pcr.reasoner.question_batches import (
    QuestionBatch,
    QuestionFilter,
    is_any,
    is_factual,
    is_visible,
    make_question_batches,
    mean_questions,
)
from models.pcr.reasoner.reasoner import OBJECTS, Reasoner
from models.pcr.reasoner.refining import refine_properties
from models.pcr.tracks.observed import Observed, RefinementEvidence
from models.pcr.training.config import PCRConfig, StageConfig
from models.train.checkpoint import Tensors

STAGES: Final = ("visible", "hidden", "motion", "calibrate_refinement", "events", "joint")
_WARMUP: Final = 30  # steps
# Beginnings of names in a checkpoint's memory.
_REFINEMENT: Final = "refinement/"
_LAWS: Final = "fit/laws/"
_BODIES: Final = "fit/bodies/"
_LAST_RATE: Final = 0.03  # of the learning rate, at the end of a stage
_BIAS_RATE: Final = 20.0  # times the learning rate: biases of refinement gains have tens to go, other parameters ones


@dataclass(frozen=True)
class TrainingStage:
    """A prepared stage: its length, groups of parameters with their learning rates, its loss at a step, and how many
    questions a step asks on average."""

    steps: int
    groups: list[tuple[list[nn.Parameter], float]]
    loss: Callable[[int], Tensor]
    questions: float


class Curriculum:
    """Prepares the stages for a reasoner, sets and questions. This process takes batches `share` of `shares`."""

    def __init__(
        self,
        config: PCRConfig,
        reasoner: Reasoner,
        observed: Observed,
        scenes: Sequence[SceneQuestions],
        share: int = 0,
        shares: int = 1,
    ) -> None:
        self._config = config
        self._reasoner = reasoner
        self._observed = observed
        self._scenes = scenes
        self._share, self._shares = share, shares
        self._device = observed.objects.device
        self._aligned = False
        self._fit: Tensors = {}  # what the states of motion were last fitted with
        self._fitted: Observed | None = None  # the first sets, as many as were fitted, with their states of motion

    def stage(self, name: str) -> TrainingStage:
        """The stage of this name. To be called when it begins or resumes: it uses what has been learned by then."""
        if name != "visible" and not self._aligned:
            self._observed = aligned_by_attributes(self._observed, self._reasoner.grounder)
            self._aligned = True
        if name == "motion" or self._observed.refinement is not None:  # other stages begin with another fit
            self._restore_fit()
        return {
            "visible": self._visible,
            "hidden": self._hidden,
            "motion": self._motion,
            "calibrate_refinement": self._calibrate_refinement,
            "events": self._events,
            "joint": self._joint,
        }[name]()

    def memory(self) -> Tensors:
        """Alignment, refinement evidence, and the laws and properties that states were fitted with, as of when they were
        computed. They go into the checkpoint: computed again in the middle of a stage, with weights trained since, they
        would differ."""
        found = {"owners": self._observed.owners} if self._aligned else {}
        if self._observed.refinement is not None:
            found |= {_REFINEMENT + name: part for name, part in vars(self._observed.refinement).items()}
        return found | self._fit

    def recall(self, memory: Tensors) -> None:
        """Restore what `memory` gave."""
        moved = {name: tensor.to(self._device) for name, tensor in memory.items()}
        if "owners" in moved:
            self._observed = replace(self._observed, owners=moved["owners"])
            self._aligned = True
        if evidence := _named(moved, _REFINEMENT):
            self._observed = replace(self._observed, refinement=RefinementEvidence(**evidence))
        self._fit = {name: part for name, part in moved.items() if name.startswith((_LAWS, _BODIES))}

    def _visible(self) -> TrainingStage:
        plan, grounder = self._config.visible, self._reasoner.grounder
        batches = self._batches(plan, is_visible, imagine=False)

        def loss(step: int) -> Tensor:
            batch = self._pick(batches, "visible", step)
            seen = self._rows(batch)
            return self._question_loss(batch, self._reasoner.scene(seen, hidden=False, one_view=True))

        return TrainingStage(
            plan.steps, [(list(grounder.parameters()), plan.learning_rate)], loss, mean_questions(batches)
        )

    def _hidden(self) -> TrainingStage:
        """The grounder is trained on, slowly: the inferencer depends on the shapes that it grounds."""
        plan, reasoner = self._config.hidden, self._reasoner
        batches = self._batches(plan, is_factual, self._config.imagination)

        groups = [
            (list(reasoner.property_parameters()), plan.learning_rate),
            (list(reasoner.grounder.parameters()), plan.learning_rate / 10),
        ]
        return TrainingStage(plan.steps, groups, self._loss(batches, "hidden"), mean_questions(batches))

    def _motion(self) -> TrainingStage:
        plan, reasoner = self._config.motion, self._reasoner
        scenes = self._scenes[: plan.fitted_sets]
        batches = self._batches(StageConfig(plan.steps, plan.sets), is_factual, self._config.imagination, scenes)

        def round_of(step: int) -> int:
            return min(step * len(plan.horizons) // max(plan.steps, 1), len(plan.horizons) - 1)

        def loss(step: int) -> Tensor:
            if step == 0 or round_of(step) != round_of(step - 1):
                self._fit_again(len(scenes))
            horizon = plan.horizons[round_of(step)]
            batch = self._pick(batches, "motion", step)
            observed = self._rows(batch)
            with torch.set_grad_enabled(plan.joint_inferencer):
                scene = reasoner.scene(observed)
            seen = RecordedTrajectories.of(
                observed, scene, reasoner.pair_numbers, not plan.joint_inferencer, reasoner.dynamics.stride
            )
            starts = window_starts(seen, horizon, plan.windows, self._rng("motion", step))
            moved = rollout_loss(reasoner.dynamics, seen, starts, horizon)
            if not plan.joint_inferencer:
                return moved
            return plan.weight * moved + self._question_loss(batch, scene, self._config.prior)

        groups = [(list(reasoner.dynamics.parameters()), plan.learning_rate)]
        if plan.joint_inferencer:
            groups.append((list(reasoner.property_parameters()), plan.inferencer_lr))
        return TrainingStage(plan.steps, groups, loss, mean_questions(batches) if plan.joint_inferencer else 0.0)

    def _calibrate_refinement(self) -> TrainingStage:
        """How much refinement gains count against the inferencer's evidence: a handful of parameters, learned fast."""
        plan, reasoner = self._config.calibrate_refinement, self._reasoner
        self._refine_once()
        batches = self._batches(plan, is_factual, self._config.imagination)

        scales = [reasoner.refinement_scale, reasoner.none_heavy, reasoner.none_charged]
        groups = [(scales, plan.learning_rate), ([reasoner.refinement_bias], plan.learning_rate * _BIAS_RATE)]
        return TrainingStage(plan.steps, groups, self._loss(batches, "calibrate_refinement"), mean_questions(batches))

    def _events(self) -> TrainingStage:
        """Movement, directions, passages and collisions, learned in the first stage from what single frames show, learn to
        use the states that have been fitted since."""
        plan, grounder = self._config.events, self._reasoner.grounder
        self._refine_once()
        batches = self._batches(plan, is_visible, imagine=False)

        def loss(step: int) -> Tensor:
            batch = self._pick(batches, "events", step)
            seen = self._rows(batch)
            return self._question_loss(batch, self._reasoner.scene(seen, hidden=False))

        groups = [(list(grounder.event_parameters()), plan.learning_rate)]
        return TrainingStage(plan.steps, groups, loss, mean_questions(batches))

    def _joint(self) -> TrainingStage:
        plan = self._config.joint
        self._refine_once()
        batches = self._batches(plan, is_any, self._config.imagination)

        groups = [(list(self._reasoner.parameters()), plan.learning_rate)]
        return TrainingStage(plan.steps, groups, self._loss(batches, "joint"), mean_questions(batches))

    def _refine_once(self) -> None:
        if self._observed.refinement is not None:
            return
        self._fit_again(len(self._scenes))
        reasoner, fitted = self._reasoner.eval(), self._fitted
        refined = refine_properties(reasoner, self._observed if fitted is None else fitted)
        self._observed = replace(self._observed, refinement=refined.refinement)
        if fitted is not None:
            self._fitted, bodies = refit_motion(reasoner, refined, Bodies(**_named(self._fit, _BODIES)))
            self._fit |= {_BODIES + name: part for name, part in vars(bodies).items()}

    def _fit_again(self, count: int) -> None:
        """Fit the states of motion of the first sets with the present laws and properties."""
        reasoner = self._reasoner
        if reasoner.settings.fits_states:
            training = reasoner.training
            assert isinstance(reasoner.dynamics, Dynamics)
            self._fit_motion(likely_bodies(reasoner.eval(), self._first(count)), reasoner.dynamics)
            reasoner.train(training)

    def _restore_fit(self) -> None:
        """Fit states as they were when `memory` was saved."""
        if self._fitted is None and self._fit:
            laws = Dynamics(OBJECTS).to(self._device)
            laws.load_state_dict(_named(self._fit, _LAWS))
            self._fit_motion(Bodies(**_named(self._fit, _BODIES)), laws)

    def _fit_motion(self, bodies: Bodies, laws: Dynamics) -> None:
        self._fit = {_LAWS + name: part.detach().clone() for name, part in laws.state_dict().items()}
        self._fit |= {_BODIES + name: part for name, part in vars(bodies).items()}
        self._fitted = fit_motion_of(self._reasoner, self._first(len(bodies.heavy)), bodies, laws)

    def _first(self, count: int) -> Observed:
        return self._observed.rows(torch.arange(count, device=self._device))

    def _rows(self, batch: QuestionBatch) -> Observed:
        """The sets of a batch, with their states of motion once these are fitted."""
        return (self._observed if self._fitted is None else self._fitted).rows(batch.rows)

    def _batches(
        self, plan: StageConfig, wanted: QuestionFilter, imagine: bool, scenes: Sequence[SceneQuestions] | None = None
    ) -> list[QuestionBatch]:
        asked = self._scenes if scenes is None else scenes
        batches = make_question_batches(asked, wanted, plan.sets, imagine)[self._share :: self._shares]
        if not batches:
            raise ComphyError(
                "expected questions to learn from for each process (found none). Use a dataset with more questions, "
                "smaller `sets` in the config, or fewer processes."
            )
        return [batch.to(self._device) for batch in batches]

    def _pick(self, batches: Sequence[QuestionBatch], name: str, step: int) -> QuestionBatch:
        """All batches in a new random order each epoch."""
        epoch, place = divmod(step, len(batches))
        order = np.random.default_rng([self._config.seed, STAGES.index(name), epoch]).permutation(len(batches))
        return batches[order[place]]

    def _rng(self, name: str, step: int) -> torch.Generator:
        seed = np.random.SeedSequence([self._config.seed, STAGES.index(name), step, self._share]).generate_state(1)
        return torch.Generator(self._device).manual_seed(int(seed[0]))

    def _loss(self, batches: Sequence[QuestionBatch], name: str) -> Callable[[int], Tensor]:
        """The loss of all questions of a batch, with the prior of hidden properties."""

        def loss(step: int) -> Tensor:
            batch = self._pick(batches, name, step)
            scene = self._reasoner.scene(self._rows(batch))
            return self._question_loss(batch, scene, self._config.prior)

        return loss

    def _question_loss(self, batch: QuestionBatch, scene: SoftScene, prior: float = 0.0) -> Tensor:
        asked = answer_losses(batch.programs, run(batch.programs, scene)).mean()
        return asked + prior * _sparsity_prior(scene) if prior else asked


def _named(tensors: Tensors, beginning: str) -> Tensors:
    """Those whose names begin so, without the beginning."""
    return {name[len(beginning) :]: part for name, part in tensors.items() if name.startswith(beginning)}


def _sparsity_prior(scene: SoftScene) -> Tensor:
    """The expected number of heavy objects and charged pairs of a set."""
    return (scene.heavy.sum(dim=1) + (scene.same + scene.opposite).sum(dim=1)).mean()


def rate_at(step: int, steps: int) -> float:
    """Share of the learning rate at a step: linear warm-up, then linear decay."""
    rise = min(1.0, (step + 1) / min(_WARMUP, max(steps, 1)))
    return rise * (1 - (1 - _LAST_RATE) * step / max(steps, 1))

"""CPL's stages under the names of PCR's: `visible`, attributes from labels and events from questions; `hidden`, properties
from labels; `motion`, dynamics from recorded motion with the true properties. The others have no steps."""

from collections.abc import Sequence

import torch
from torch import Tensor

from comphy.questions.model import SceneQuestions
from models.baselines.cpl.augmentation import TrackAugmentation, augmented
from models.baselines.cpl.labels import Labels
from models.pcr.dynamics.recorded_trajectories import RecordedTrajectories, rollout_loss, window_starts
from models.pcr.reasoner.question_batches import is_any, is_visible, mean_questions
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.tracks.observed import Observed
from models.pcr.training.config import PCRConfig, StageConfig
from models.pcr.training.stages import Curriculum, TrainingStage


class LabelledCurriculum(Curriculum):
    """Row i of the labels is the set of `scenes[i]`."""

    def __init__(
        self,
        labels: Labels,
        config: PCRConfig,
        reasoner: Reasoner,
        observed: Observed,
        scenes: Sequence[SceneQuestions],
        share: int = 0,
        shares: int = 1,
        augmentation: TrackAugmentation | None = None,
    ) -> None:
        super().__init__(config, reasoner, observed, scenes, share, shares)
        self._labels, self._augmentation = labels.to(self._device), augmentation

    def _visible(self) -> TrainingStage:
        plan, reasoner = self._config.visible, self._reasoner
        batches = self._batches(plan, is_visible, imagine=False)

        def loss(step: int) -> Tensor:
            batch = self._pick(batches, "visible", step)
            scene = reasoner.scene(self._rows(batch), hidden=False, one_view=True)
            return self._question_loss(batch, scene) + self._labels.rows(batch.rows).attribute_loss(scene)

        groups = [(list(reasoner.grounder.parameters()), plan.learning_rate)]
        return TrainingStage(plan.steps, groups, loss, mean_questions(batches))

    def _hidden(self) -> TrainingStage:
        plan, reasoner = self._config.hidden, self._reasoner
        batches = self._batches(plan, is_any, imagine=False)

        def loss(step: int) -> Tensor:
            batch = self._pick(batches, "hidden", step)
            observed = self._rows(batch)
            with torch.no_grad():
                attributes = reasoner.attributes(observed)
            if self._augmentation is not None:
                observed = augmented(observed, self._augmentation, self._rng("hidden", step))
            return self._labels.rows(batch.rows).property_loss(*reasoner.properties(observed, attributes))

        groups = [([*reasoner.inferencer.parameters(), reasoner.none_heavy], plan.learning_rate)]
        return TrainingStage(plan.steps, groups, loss, 0.0)

    def _motion(self) -> TrainingStage:
        plan, reasoner = self._config.motion, self._reasoner
        batches = self._batches(StageConfig(plan.steps, plan.sets), is_any, imagine=False)

        def loss(step: int) -> Tensor:
            horizon = plan.horizons[step * len(plan.horizons) // plan.steps]
            batch = self._pick(batches, "motion", step)
            observed = self._rows(batch)
            with torch.no_grad():
                scene = self._labels.rows(batch.rows).told(reasoner.scene(observed, hidden=False))
            seen = RecordedTrajectories.of(observed, scene, reasoner.pair_numbers, True, reasoner.dynamics.stride)
            starts = window_starts(seen, horizon, plan.windows, self._rng("motion", step))
            return rollout_loss(reasoner.dynamics, seen, starts, horizon)

        groups = [(list(reasoner.dynamics.parameters()), plan.learning_rate)]
        return TrainingStage(plan.steps, groups, loss, 0.0)

"""The curriculum (5.2.1): what is seen, what is hidden, how things move, what motion tells about what is hidden, and at
last all of it together.

Every lesson is a loss and the parameters it may change. A lesson's batches depend on the seed, the lesson and the step
alone, so that a run that was stopped goes on as if it had not been.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from comphy.errors import ComphyError
from comphy.questions.model import SceneQuestions
from models.pcr.dynamics.footage import footage, rollout_loss, window_starts
from models.pcr.executor.answers import answer_losses, run
from models.pcr.executor.soft_scene import SoftScene
from models.pcr.grounding.alignment import aligned_by_looks
from models.pcr.properties.refinement import looked_again
from models.pcr.reasoner.question_batches import (
    Lesson,
    Wanted,
    is_any,
    is_factual,
    is_visible,
    make_lessons,
    questions_in,
)
from models.pcr.reasoner.reasoner import DOUBT, Reasoner
from models.pcr.tracks.observed import Explained, Observed
from models.pcr.training.config import LessonPlan, PCRConfig
from models.train.checkpoint import Tensors

LESSONS: Final = ("visible", "hidden", "motion", "weighing", "everything")
_WARMUP: Final = 30  # steps
_LAST_RATE: Final = 0.03  # of the learning rate, at the end of a lesson


@dataclass(frozen=True)
class Course:
    """One lesson made ready: its length, groups of parameters with their learning rates, its loss at a step, and how
    many questions a step asks on average."""

    steps: int
    groups: list[tuple[list[nn.Parameter], float]]
    loss: Callable[[int], Tensor]
    questions: float


class Curriculum:
    """Prepares the lessons for a reasoner, sets and questions. `share` of `shares`: batches that this process takes."""

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

    def course(self, name: str) -> Course:
        """Called when its lesson begins, or is gone on with: what it builds on has been learned by then."""
        if name != "visible" and not self._aligned:
            self._observed = aligned_by_looks(self._observed, self._reasoner.grounder)
            self._aligned = True
        return {
            "visible": self._visible,
            "hidden": self._hidden,
            "motion": self._motion,
            "weighing": self._weighing,
            "everything": self._everything,
        }[name]()

    def memory(self) -> Tensors:
        """What was found out about the sets when a lesson began. It goes into the checkpoint: found out again in the
        middle of the lesson, with what has been learned since, it would be different."""
        found = {"owners": self._observed.owners} if self._aligned else {}
        if self._observed.explained is not None:
            found |= vars(self._observed.explained)
        return found

    def recall(self, memory: Tensors) -> None:
        moved = {name: tensor.to(self._device) for name, tensor in memory.items()}
        if "owners" in moved:
            self._observed = replace(self._observed, owners=moved.pop("owners"))
            self._aligned = True
        if moved:
            self._observed = replace(self._observed, explained=Explained(**moved))

    def _visible(self) -> Course:
        plan, grounder = self._config.visible, self._reasoner.grounder
        lessons = self._lessons(plan, is_visible, imagine=False)

        def loss(step: int) -> Tensor:
            lesson = self._pick(lessons, "visible", step)
            seen = self._observed.rows(lesson.rows)
            return self._question_loss(lesson, self._reasoner.scene(seen, hidden=False, one_view=True))

        return Course(plan.steps, [(list(grounder.parameters()), plan.learning_rate)], loss, questions_in(lessons))

    def _hidden(self) -> Course:
        """The grounder learns on slowly: what it sees is what properties are inferred from."""
        plan, reasoner = self._config.hidden, self._reasoner
        lessons = self._lessons(plan, is_factual, self._config.imagination)

        def loss(step: int) -> Tensor:
            lesson = self._pick(lessons, "hidden", step)
            scene = self._scene(lesson)
            return self._question_loss(lesson, scene) + self._config.prior * _assumed(scene)

        return Course(
            plan.steps,
            [
                (list(reasoner.property_parameters()), plan.learning_rate),
                (list(reasoner.grounder.parameters()), plan.learning_rate / 10),
            ],
            loss,
            questions_in(lessons),
        )

    def _motion(self) -> Course:
        plan, reasoner = self._config.motion, self._reasoner
        lessons = self._lessons(LessonPlan(plan.steps, plan.sets), is_factual, self._config.imagination)

        def loss(step: int) -> Tensor:
            horizon = plan.horizons[min(step * len(plan.horizons) // max(plan.steps, 1), len(plan.horizons) - 1)]
            lesson = self._pick(lessons, "motion", step)
            observed = self._observed.rows(lesson.rows)
            with torch.set_grad_enabled(plan.listen):
                scene = reasoner.scene(observed)
            seen = footage(reasoner, observed, scene, hard=not plan.listen)
            starts = window_starts(seen, horizon, plan.windows, self._rng("motion", step))
            moved = rollout_loss(reasoner.dynamics, seen, starts, horizon)
            if not plan.listen:
                return moved
            asked = self._question_loss(lesson, scene) + self._config.prior * _assumed(scene)
            return plan.weight * moved + asked

        groups = [(list(reasoner.dynamics.parameters()), plan.learning_rate)]
        if plan.listen:
            groups.append((list(reasoner.property_parameters()), plan.listen_rate))
        return Course(plan.steps, groups, loss, questions_in(lessons) if plan.listen else 0.0)

    def _weighing(self) -> Course:
        """How much a second look counts against the first: a handful of numbers, learned fast."""
        plan, reasoner = self._config.weighing, self._reasoner
        self._look_again()
        lessons = self._lessons(plan, is_factual, self._config.imagination)

        def loss(step: int) -> Tensor:
            lesson = self._pick(lessons, "weighing", step)
            scene = self._scene(lesson)
            return self._question_loss(lesson, scene) + self._config.prior * _assumed(scene)

        shares = [reasoner.trust, reasoner.none_heavy, reasoner.none_charged]
        groups = [(shares, plan.learning_rate), ([reasoner.doubt], plan.learning_rate * DOUBT)]
        return Course(plan.steps, groups, loss, questions_in(lessons))

    def _everything(self) -> Course:
        plan = self._config.everything
        self._look_again()
        lessons = self._lessons(plan, is_any, self._config.imagination)

        def loss(step: int) -> Tensor:
            lesson = self._pick(lessons, "everything", step)
            scene = self._scene(lesson)
            return self._question_loss(lesson, scene) + self._config.prior * _assumed(scene)

        groups = [(list(self._reasoner.parameters()), plan.learning_rate)]
        return Course(plan.steps, groups, loss, questions_in(lessons))

    def _look_again(self) -> None:
        if self._observed.explained is None:
            self._observed = looked_again(self._reasoner.eval(), self._observed)

    def _lessons(self, plan: LessonPlan, wanted: Wanted, imagine: bool) -> list[Lesson]:
        lessons = make_lessons(self._scenes, wanted, plan.sets, imagine)[self._share :: self._shares]
        if not lessons:
            raise ComphyError(
                "expected questions to learn from for each process (found none). Use a dataset with more questions, "
                "smaller `sets` in the config, or fewer processes."
            )
        return [lesson.to(self._device) for lesson in lessons]

    def _pick(self, lessons: Sequence[Lesson], name: str, step: int) -> Lesson:
        """All lessons in a new order each time through."""
        epoch, place = divmod(step, len(lessons))
        order = np.random.default_rng([self._config.seed, LESSONS.index(name), epoch]).permutation(len(lessons))
        return lessons[order[place]]

    def _rng(self, name: str, step: int) -> torch.Generator:
        seed = np.random.SeedSequence([self._config.seed, LESSONS.index(name), step, self._share]).generate_state(1)
        return torch.Generator(self._device).manual_seed(int(seed[0]))

    def _scene(self, lesson: Lesson) -> SoftScene:
        return self._reasoner.scene(self._observed.rows(lesson.rows))

    def _question_loss(self, lesson: Lesson, scene: SoftScene) -> Tensor:
        return answer_losses(lesson.batch, run(lesson.batch, scene)).mean()


def _assumed(scene: SoftScene) -> Tensor:
    """How much is taken for heavy and for charged, on average over the sets."""
    return (scene.heavy.sum(dim=1) + (scene.same + scene.opposite).sum(dim=1)).mean()


def rate_at(step: int, steps: int) -> float:
    """Of the learning rate: a short rise, then a straight fall."""
    rise = min(1.0, (step + 1) / min(_WARMUP, max(steps, 1)))
    return rise * (1 - (1 - _LAST_RATE) * step / max(steps, 1))


def parameters_of(course: Course) -> Iterator[nn.Parameter]:
    return chain.from_iterable(parameters for parameters, _ in course.groups)

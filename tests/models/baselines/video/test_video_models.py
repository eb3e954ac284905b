"""MAC, HCRN, ALOE and ALPRO on made-up features: each learns from what it is shown, in all of its parts."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from comphy.errors import ComphyError, DatasetError
from comphy.evaluation.qa.accuracy import score
from comphy.questions.model import SceneQuestions
from models.baselines.aloe import ALOE, ALOEConfig, ALOESize
from models.baselines.alpro import ALPRO, ALPROConfig, ALPROSize
from models.baselines.blind.lstm import LSTMSize
from models.baselines.blind.training import BlindData, prepare
from models.baselines.contract import answer_all
from models.baselines.hcrn import HCRN, ConditionalRelations, HCRNConfig, HCRNSize
from models.baselines.mac import MAC, MACConfig, MACSize, ReadUnit
from models.baselines.training import CHECKPOINT, losses
from models.baselines.video.features import FrameFeatureShape
from models.baselines.video.settings import FrameSettings, Shown
from models.baselines.video.training import WEIGHTS, Fitted, Interface, fit_video
from models.baselines.video.views import Views, VisualFeatures
from models.perceiver.cache.arrays import ArrayReader
from models.train.run import Run

SHAPE = FrameFeatureShape(target=12, references=2, reference=2, cells=2, features=12)
SETS = 8
CPU = torch.device("cpu")
LEARNING: dict[str, Any] = {
    "device": "cpu",
    "patience": 60,
    "batch_size": 8,
    "weight_decay": 0.0,
    "max_gradient_norm": 1.0,
    "warmup_steps": 4,
}


@dataclass(frozen=True)
class Case:
    """A model in small, and how many epochs it needs to know eight sets by heart."""

    module: Callable[[Any, Interface], nn.Module]
    config: Any
    epochs: int

    def fit(
        self, data: BlindData, cache: ArrayReader[FrameFeatureShape], out: Path, minutes: float | None = None
    ) -> Fitted:
        visual = VisualFeatures(cache, "made up")
        return fit_video(
            self.config,
            Run(Path(), out, minutes),
            visual,
            data,
            lambda interface: self.module(self.config.model, interface),
            self.config.task,
        )

    def changed(self, **changes: Any) -> "Case":
        return replace(self, config=replace(self.config, **changes))


CASES = {
    "mac": Case(MAC, MACConfig(**LEARNING, learning_rate=0.01, model=MACSize(2, 32, 32, 0.0)), 26),
    "hcrn": Case(
        HCRN,
        HCRNConfig(
            **LEARNING,
            learning_rate=0.006,
            frames=FrameSettings(target=12),
            model=HCRNSize(clips=3, subsets=2, embedding=32, width=48, dropout=0.0),
        ),
        24,
    ),
    "aloe": Case(ALOE, ALOEConfig(**LEARNING, learning_rate=0.01, model=ALOESize(2, 2, 32, 64, 32, dropout=0.0)), 32),
    "alpro": Case(ALPRO, ALPROConfig(**LEARNING, learning_rate=0.006, model=ALPROSize(1, 2, 32, 64, 32, 0.0)), 16),
}
MODELS = pytest.mark.parametrize("case", CASES.values(), ids=CASES)
WITH_REFERENCES = [(name, shown) for name in CASES for shown in (False, True) if (name, shown) != ("hcrn", True)]


@pytest.fixture
def scenes(make_scenes) -> list[SceneQuestions]:
    return make_scenes(SETS)


@pytest.fixture
def data(scenes: list[SceneQuestions]) -> BlindData:
    return prepare(scenes, scenes, LSTMSize())


def build(
    case: Case, data: BlindData, views: Views, shown: Shown, shape: FrameFeatureShape = SHAPE, place: int = 0
) -> nn.Module:
    told = (data.description.words, len(data.description.answers))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return case.module(
            case.config.model, Interface(*told, shape, shown, *views.statistics(range(SETS)), place > 0, place)
        )


@pytest.mark.slow
@MODELS
def test_overfits_eight_sets(tmp_path: Path, write_features, scenes: list[SceneQuestions], case: Case):
    """The same words have other answers in other sets, and in one set other words have: both have to be read."""
    fewer = [replace(scene, questions=scene.questions[1:4]) for scene in scenes]
    cache = write_features(tmp_path / "cache", SHAPE, SETS)
    fitted = case.changed(epochs=case.epochs).fit(prepare(fewer, fewer, LSTMSize()), cache, tmp_path / "run")
    columns = score(fewer, answer_all(fitted.baseline(), fewer)).columns()
    assert {name: one.value for name, one in columns.items() if one} == {
        "factual": 1.0,
        "counterfactual_per_option": 1.0,
        "counterfactual_per_question": 1.0,
    }


@pytest.mark.parametrize(("name", "references"), WITH_REFERENCES)
def test_gradients_reach_every_parameter(tmp_path: Path, write_features, data: BlindData, name: str, references: bool):
    cache, shown = write_features(tmp_path, SHAPE, SETS), Shown(references=references)
    views = Views(cache, cache.indices(), shown, CPU)
    module = build(CASES[name], data, views, shown).train()
    logits = module(data.train.tokens, data.train.lengths, *views(data.train.scenes))
    total = sum(losses(logits, data.train))
    (total if logits.auxiliary is None else total + logits.auxiliary.sum()).backward()
    assert not [name for name, one in module.named_parameters() if one.grad is None or not one.grad.abs().sum() > 0]


@MODELS
def test_a_sentence_is_answered_alike_whatever_stands_beside_it(
    tmp_path: Path, write_features, data: BlindData, case: Case
):
    """Padding of shorter sentences, and what is drawn in training, make no difference."""
    cache, shown = write_features(tmp_path, SHAPE, SETS), Shown()
    views = Views(cache, cache.indices(), shown, CPU)
    module = build(case, data, views, shown).eval()
    shortest = data.train.lengths.argmin()[None]
    with torch.no_grad():
        together, alone = (
            module(part.tokens, part.lengths, *views(part.scenes)) for part in (data.train, data.train.rows(shortest))
        )
    torch.testing.assert_close(together.answers[shortest], alone.answers, atol=1e-5, rtol=1e-4)
    assert together.auxiliary is None


@MODELS
def test_mixed_precision_answers_almost_alike(tmp_path: Path, write_features, data: BlindData, case: Case):
    cache, shown = write_features(tmp_path, SHAPE, SETS), Shown()
    views = Views(cache, cache.indices(), shown, CPU)
    module = build(case, data, views, shown)
    seen = (data.train.tokens, data.train.lengths, *views(data.train.scenes))
    with torch.autocast("cpu", torch.bfloat16):
        mixed = module.eval()(*seen)
        sum(losses(module.train()(*seen), data.train)).backward()
    with torch.no_grad():
        full = module.eval()(*seen)
    torch.testing.assert_close(mixed.answers.float(), full.answers, atol=0.05, rtol=0.05)
    assert all(one.grad is None or torch.isfinite(one.grad).all() for one in module.parameters())


@MODELS
def test_going_on_gives_the_same_weights_bit_for_bit(tmp_path: Path, write_features, data: BlindData, case: Case):
    """Also what is drawn: dropout, subsets of frames, hidden objects."""
    cache = write_features(tmp_path / "cache", SHAPE, SETS)
    case = case.changed(epochs=1, batch_size=24)
    whole = case.fit(data, cache, tmp_path / "whole").progress
    parts = [case.fit(data, cache, tmp_path / "parts", minutes=0).progress for _ in range(-(-len(data.train) // 24))]
    assert parts[-1] == whole and len(parts) > 1
    for name in (WEIGHTS, CHECKPOINT):
        assert (tmp_path / "parts" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name


def test_a_checkpoint_of_another_model_is_refused(tmp_path: Path, write_features, data: BlindData):
    cache = write_features(tmp_path / "cache", SHAPE, SETS)
    CASES["mac"].changed(epochs=1).fit(data, cache, tmp_path, minutes=0)
    for name in ("hcrn", "aloe", "alpro"):
        with pytest.raises(DatasetError, match="the checkpoint is of another architecture"):
            CASES[name].fit(data, cache, tmp_path)


def test_a_checkpoint_that_was_shown_something_else_is_refused(tmp_path: Path, write_features, data: BlindData):
    cache = write_features(tmp_path / "cache", SHAPE, SETS)
    CASES["mac"].changed(epochs=1).fit(data, cache, tmp_path, minutes=0)
    with pytest.raises(DatasetError, match="the checkpoint was trained on other"):
        CASES["mac"].changed(cue="shuffled_frames").fit(data, cache, tmp_path)


def test_relations_of_a_condition_by_hand():
    """Two objects of one number each have one subset, the mean of both; three have three pairs and a triple."""
    relations = ConditionalRelations(3, subsets=3, width=1).eval()
    for layer in relations.relate:
        nn.init.constant_(layer.weight, 1.0)
        nn.init.zeros_(layer.bias)
    objects = torch.tensor([1.0, 2.0, 6.0]).reshape(1, 3, 1, 1)
    pairs, triple = relations(objects, torch.tensor([[10.0]])).flatten().tolist()
    assert pairs == pytest.approx((1.5 + 3.5 + 4.0) / 3 + 10) and triple == pytest.approx(3 + 10)


def test_the_error_of_hidden_objects_by_hand(tmp_path: Path, write_features, data: BlindData):
    """The error counts hidden objects alone, and their appearance as much as their place."""
    case = CASES["aloe"]
    cache, shown = write_features(tmp_path, SHAPE, SETS), Shown()
    views = Views(cache, cache.indices(), shown, CPU)
    module = build(case, data, views, shown, place=4).train()
    objects = torch.randn(2, 5, 12)
    hidden = torch.tensor([[True, False, False, False, False], [False] * 5])
    nn.init.zeros_(module.fill_in.weight)
    nn.init.zeros_(module.fill_in.bias)
    error = module._error(torch.randn(2, 5, 32), objects, hidden)
    looks, place = objects[0, 0, :8].square().mean(), objects[0, 0, 8:].square().mean()
    assert error.tolist() == pytest.approx([float(looks + place) / 2, 0.0])


class SmallMemory(nn.Module):
    """As a GPU does, runs out of memory with more than `most` sentences."""

    def __init__(self, inner: nn.Module, most: int) -> None:
        super().__init__()
        self.inner, self.most = inner, most

    def forward(self, tokens: torch.Tensor, *others: Any) -> Any:
        if len(tokens) > self.most:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return self.inner(tokens, *others)


@pytest.mark.parametrize(("most", "advice"), [(3, "batch_size=2 fits"), (0, "not even batch_size=1 fits")])
def test_a_memory_that_is_too_small_says_what_fits(
    tmp_path: Path, write_features, data: BlindData, most: int, advice: str
):
    cache = write_features(tmp_path / "cache", SHAPE, SETS)
    case = replace(CASES["mac"], module=lambda size, interface: SmallMemory(MAC(size, interface), most))
    with pytest.raises(ComphyError, match=rf"too small for mac with batch_size=8: {advice}"):
        case.fit(data, cache, tmp_path)


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        (MACConfig, {"target": False}),
        (MACConfig, {"cue": "single"}),
        (MACConfig, {"warmup_steps": -1}),
        (HCRNConfig, {"cue": "single_frame"}),
        (HCRNConfig, {"frames": FrameSettings(target=24)}),
        (MACSize, {"width": 33}),
        (HCRNSize, {"clips": 2}),
        (ALOESize, {"heads": 7}),
        (ALOESize, {"hidden_objects": 1.0}),
        (ALPROSize, {"heads": 7}),
        (ALPROSize, {"dropout": 1.0}),
    ],
)
def test_bad_values_are_refused(kind: type, changes: dict[str, Any]):
    with pytest.raises(ValueError, match=r"expected|did you mean"):
        kind(**changes)


def test_reading_is_as_the_paper_says() -> None:
    """Every cell meets the memory, is seen together with itself and weighed by its product with the control."""
    torch.manual_seed(0)
    unit = ReadUnit(6, 0.3).eval()
    control, memory, knowledge = torch.randn(2, 6), torch.randn(2, 6), torch.randn(2, 5, 6)
    meeting = unit.memory(memory)[:, None] * unit.knowledge(knowledge)
    together = nn.functional.elu(unit.interaction(meeting) + unit.itself(knowledge))
    weights = unit.attention(control[:, None] * together).softmax(dim=1)
    found = unit(control, memory, unit.prepared(knowledge))
    assert torch.allclose(found, (weights * knowledge).sum(1), atol=1e-6)

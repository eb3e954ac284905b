"""Vision-language models of `transformers`: tiny random ones, made here, read frames and say something."""

from pathlib import Path

import numpy as np
import pytest
import torch

from comphy.errors import ConfigError
from models.baselines.lvlm.local_model import LocalVisionModel, load_local_model
from models.llm.messages import Clip, Message
from tests.models.baselines.lvlm.test_lvlm_endpoint import FRAMES, lines
from tests.support.commands import comphy
from tests.support.tiny_vision_model import save_image_model, save_video_model

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("models")
    return {"images": save_image_model(root / "images"), "video": save_video_model(root / "video")}


def question(frames: np.ndarray, system: bool = True) -> list[Message]:
    said = Message("user", ("Reference:", Clip(frames[:2]), "Target:", Clip(frames), "What color is the cube?"))
    return [*([Message("system", "Watch.")] if system else []), said]


def frames(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (4, 64, 96, 3), np.uint8)


@pytest.mark.parametrize(("kind", "shown_as"), [("images", "images"), ("video", "images"), ("video", "video")])
def test_a_model_sees_the_frames(folders: dict[str, Path], kind: str, shown_as: str):
    model = load_local_model(str(folders[kind]), shown_as, 12, CPU)
    first, again, other = (model.ask(question(frames(seed))) for seed in (0, 0, 1))
    assert first == again and first.text != other.text
    assert first.tokens_written == 12 and first.cut_off and first.tokens_read > 20


def test_more_frames_are_more_tokens(folders: dict[str, Path]):
    model = load_local_model(str(folders["images"]), "images", 2, CPU)
    few, many = (model.ask(question(frames(0)[:count])).tokens_read for count in (2, 4))
    assert many - few == 2 * 4  # frames of 2 x 2 patches


def test_what_a_model_cannot_take_is_explained(folders: dict[str, Path]):
    with pytest.raises(ConfigError, match=r"expected a model that takes videos .* shown_as=images"):
        load_local_model(str(folders["images"]), "video", 8, CPU)
    with pytest.raises(ConfigError, match=r"leaves room for 4090 tokens in the model's 4096 positions.*fewer"):
        load_local_model(str(folders["images"]), "images", 4090, CPU).ask(question(frames(0)))
    model = load_local_model(str(folders["images"]), "images", 8, CPU)
    model._processor.chat_template = None
    with pytest.raises(ConfigError, match="a chat template"):
        LocalVisionModel(model._model, model._processor, "images", 8, "here")


def test_a_chat_format_without_a_system_turn(folders: dict[str, Path]):
    model = load_local_model(str(folders["images"]), "images", 4, CPU)
    processor = model._processor
    plain = model.ask(question(frames(0)))
    refuses = "{% if messages[0].role == 'system' %}{{ raise_exception('no system turn') }}{% endif %}"
    processor.chat_template = refuses + processor.chat_template
    assert 0 < model.ask(question(frames(0))).tokens_read < plain.tokens_read
    processor.chat_template = "{{ raise_exception('broken') }}"
    with pytest.raises(ConfigError, match=r"its chat format cannot be used \(.*broken"):
        model.ask(question(frames(0)))


@pytest.mark.bullet
@pytest.mark.parametrize(("kind", "shown_as"), [("images", "images"), ("video", "video")])
def test_a_folder_answers_a_dataset_and_goes_on(
    folders: dict[str, Path], six_rendered: Path, tmp_path: Path, kind: str, shown_as: str
):
    options = (f"model=hf:{folders[kind]}", f"frames.shown_as={shown_as}", *FRAMES, "max_tokens=4", "device=cpu")
    where = ("--data", six_rendered, "--out", tmp_path)
    first = comphy("train", "lvlm", *options, *where, "--max-minutes", "0")
    assert first.returncode == 0 and "Out of time after 1 of" in first.stdout, first.stderr
    begun = lines(tmp_path)
    result = comphy("train", "lvlm", *options, *where)
    assert result.returncode == 0, result.stderr
    assert lines(tmp_path)[: len(begun)] == begun and len(lines(tmp_path)) > len(begun)
    assert (tmp_path / "submission_test.json").is_file() and "strict" in result.stdout

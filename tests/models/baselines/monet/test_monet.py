"""MONet in small: its masks share a frame among them, it learns, goes on after a stop, and its slots are ALOE's."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from PIL import Image
from torch import Tensor

from comphy.dataset.frames import FrameKey
from comphy.errors import ConfigError, DatasetError
from models.baselines.monet.network import MONet, MONetSize
from models.baselines.monet.training import CHECKPOINT, MODEL, PICTURE, MONetConfig, load_monet, run_monet
from models.baselines.video.features import fill_features
from models.baselines.video.network import build_network
from models.baselines.video.settings import FrameSettings
from models.train.run import Run

SMALL = MONetSize(width=96, slots=3, latents=4, channels=(4, 4, 8), component=4)
CONFIG = MONetConfig(device="cpu", steps=5, batch_size=2, log_every=1, learning_rate=1e-3, model=SMALL)


class Squares:
    """Frames with a bright square whose place depends on the frame."""

    size = (96, 64)

    def draw(self, keys: list[FrameKey]) -> Tensor:
        frames = torch.full((len(keys), 64, 96, 3), 60, dtype=torch.uint8)
        for frame, key in zip(frames, keys, strict=True):
            frame[8 + key.frame % 40 :, key.frame % 70 :][:16, :16] = torch.tensor([200, 40, 40], dtype=torch.uint8)
        return frames


def run(data: Path, out: Path, minutes: float | None = None) -> Run:
    return Run(data, out, minutes, open_frames=lambda source, width, device: Squares())


def module() -> MONet:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return MONet(SMALL)


def test_masks_share_the_frame_and_gradients_reach_every_parameter() -> None:
    net, images = module(), torch.rand(2, 3, 64, 96)
    parts = net.parts(images)
    assert parts.masks.shape == (2, 3, 64, 96) and parts.mean.shape == (2, 3, 4)
    torch.testing.assert_close(parts.masks.exp().sum(1), torch.ones(2, 64, 96))
    pictures, masks = net.drawn(parts.mean)
    assert pictures.shape == (2, 3, 3, 64, 96)
    torch.testing.assert_close(masks.exp().sum(1), torch.ones(2, 64, 96))
    sum(part.sum() for part in net.losses(images)).backward()
    assert not [name for name, one in net.named_parameters() if one.grad is None or not one.grad.abs().sum() > 0]


def test_a_frame_that_is_drawn_as_it_is_has_the_likelihood_of_the_formula() -> None:
    """Of one pixel value drawn exactly by every part: log N(0; 0, sigma) for each of three colours, weighed by the masks."""
    net, images = module(), torch.full((1, 3, 64, 96), 0.5)
    torch.nn.init.zeros_(net.decoder.layers[-1].weight)
    torch.nn.init.zeros_(net.decoder.layers[-1].bias)  # sigmoid(0) = 0.5 everywhere
    background = net.parts(images).masks[0, 0].exp()
    near, far = ((-torch.log(torch.tensor(s)) - 0.918939) * 3 for s in (0.09, 0.11))
    expected = -torch.log(background * near.exp() + (1 - background) * far.exp()).sum()
    torch.testing.assert_close(net.losses(images).pixels[0], expected, rtol=1e-4, atol=1e-2)


@pytest.mark.slow
def test_it_learns_and_goes_on_bit_for_bit(small_dataset: Path, tmp_path: Path) -> None:
    outcome = run_monet(CONFIG, run(small_dataset, tmp_path / "whole"))
    assert outcome.note.startswith("Training finished: 5 steps.")
    columns, rows = Image.open(tmp_path / "whole" / PICTURE).size
    assert (columns, rows) == (96 * (2 + SMALL.slots), 64 * 6)
    for _ in range(5):
        run_monet(CONFIG, run(small_dataset, tmp_path / "parts", 0))
    for name in (MODEL, CHECKPOINT):
        assert (tmp_path / "parts" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name
    losses = [
        json.loads(line)["train/loss"] for line in (tmp_path / "whole" / "metrics.jsonl").read_text().splitlines()
    ]
    assert len(losses) == 5 and losses[-1] < losses[0]


def test_its_slots_are_the_cells_of_a_frame(small_dataset: Path, tmp_path: Path) -> None:
    job = run(small_dataset, tmp_path)
    run_monet(replace(CONFIG, steps=1), job)
    settings = FrameSettings(width=96, network="monet", weights=str(tmp_path), target=2, reference=1)
    cache = fill_features(tmp_path / "slots", settings, build_network(settings), job, torch.device("cpu"))
    assert cache is not None and cache.row(0)["target"].shape == (2, 3, 4)
    frame = Squares().draw([FrameKey(0, "target", 0)]).permute(0, 3, 1, 2).float() / 255
    with torch.no_grad():
        torch.testing.assert_close(
            torch.from_numpy(cache.row(0)["target"][0]).float(), load_monet(tmp_path)(frame)[0], atol=1e-2, rtol=1e-2
        )
    with pytest.raises(ConfigError, match=r"frames\.width=144: expected 96"):
        build_network(replace(settings, width=144))


def test_weights_of_something_else_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="no such checkpoint"):
        load_monet(tmp_path)
    with pytest.raises(DatasetError, match="expected the weights of a comphy MONet"):
        load_monet(Path("models/weights/pcr/reasoner.safetensors"))


@pytest.mark.parametrize("wrong", [{"width": 100}, {"slots": 1}, {"beta": -1.0}, {"foreground_sigma": 0.0}])
def test_bad_sizes_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="expected"):
        replace(SMALL, **wrong)

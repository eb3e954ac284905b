"""What distortions do, by formula; compression beside a real JPEG encoder."""

import io
import math

import numpy as np
import pytest
import torch
from PIL import Image
from torch import Tensor

from models.perceiver.training.distortions import (
    blurred,
    brightened,
    compressed,
    contrasted,
    gamma_corrected,
    noised,
    saturated,
)


def _picture(height: int = 32, width: int = 48) -> Tensor:
    """Smooth colours with a bright square, as [1, H, W, 3]."""
    y, x = torch.meshgrid(torch.linspace(0, 1, height), torch.linspace(0, 1, width), indexing="ij")
    picture = torch.stack([60 + 120 * x, 90 + 60 * y, 150 - 80 * x * y], dim=-1)
    picture[height // 4 : height // 2, width // 4 : width // 2] = torch.tensor([220.0, 40.0, 60.0])
    return picture.round()[None]


def test_light_follows_its_formulas() -> None:
    images = _picture()
    assert torch.allclose(brightened(images, 0.7), images * 0.7)
    assert torch.allclose(contrasted(images, 0.5), images / 2 + 64)
    assert torch.allclose(gamma_corrected(images, 2.0), images**2 / 255)


def test_saturation_keeps_hue_and_brightness() -> None:
    images, changed = _picture(), saturated(_picture(), 0.6)
    luma = torch.tensor([0.299, 0.587, 0.114])
    assert torch.allclose(changed @ luma, images @ luma, atol=1e-3)
    was, now = (
        torch.atan2(3**0.5 * (p[..., 1] - p[..., 2]), 2 * p[..., 0] - p[..., 1] - p[..., 2]) for p in (images, changed)
    )
    assert torch.allclose(was, now, atol=1e-3), "the hue, as an angle"


def test_noise_has_the_deviation_asked_for_in_each_picture() -> None:
    images = torch.full((2, 64, 64, 3), 128.0)
    noise = noised(images, torch.tensor([3.0, 12.0]), torch.Generator().manual_seed(0)) - images
    assert noise.std(dim=(1, 2, 3)).tolist() == pytest.approx([3, 12], rel=0.03)


def test_blur_is_a_gaussian_of_that_width() -> None:
    point = torch.zeros(2, 21, 21, 3)
    point[:, 10, 10] = 1000.0
    for spread, sigma in zip(blurred(point, torch.tensor([0.8, 1.6]))[..., 0], (0.8, 1.6), strict=True):
        assert float(spread.sum()) == pytest.approx(1000, rel=1e-4)
        offsets = torch.arange(21.0) - 10
        variance = float((spread.sum(0) * offsets**2).sum() / spread.sum())
        assert math.sqrt(variance) == pytest.approx(sigma, rel=0.05)
        assert torch.allclose(spread, spread.T, atol=1e-3)
    flat = torch.full((1, 9, 9, 3), 77.0)
    assert torch.allclose(blurred(flat, 2.0), flat, atol=1e-3), "edges do not darken"


@pytest.mark.parametrize("quality", [20, 50, 90])
def test_compression_loses_what_a_jpeg_encoder_loses(quality: int) -> None:
    images = _picture(30, 44)  # no whole number of blocks
    file = io.BytesIO()
    Image.fromarray(images[0].numpy().astype(np.uint8)).save(file, "JPEG", quality=quality, subsampling="4:2:0")
    real = torch.from_numpy(np.asarray(Image.open(file)).astype(np.float32))
    ours = compressed(images, quality)[0]
    assert ours.shape == images.shape[1:]
    apart, lost = (ours - real).abs().mean(), (images[0] - real).abs().mean()
    assert apart < 0.5 * lost, "our result is closer to the encoder's than the picture itself"


def test_compression_is_worse_at_lower_quality_in_each_picture() -> None:
    images = _picture().repeat(3, 1, 1, 1)
    lost = (compressed(images, torch.tensor([10.0, 40.0, 95.0])) - images).abs().mean(dim=(1, 2, 3)).tolist()
    assert lost[0] > 1.3 * lost[1] > 1.3 * 1.3 * lost[2]

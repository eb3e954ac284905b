import math

import torch

from models.perceiver.detection.appearance_losses import (
    RECONSTRUCTED,
    TEMPERATURE,
    ReconstructionHead,
    contrastive_loss,
    reconstruction_loss,
)


def test_reconstruction_compares_with_the_region_of_the_image() -> None:
    images = torch.zeros(2, 3, 40, 60)
    images[1, :, 10:20, 20:30] = 1.0
    regions = torch.tensor([[[20.0, 10, 30, 20]], [[20.0, 10, 30, 20]]])
    painted = torch.ones(2, 1, 3, RECONSTRUCTED, RECONSTRUCTED)
    hit = torch.tensor([[True], [True]])
    inner = reconstruction_loss(painted[1:], images[1:], regions[1:], hit[1:])
    assert inner < 0.1, "only the blurred edge differs"
    assert abs(reconstruction_loss(painted[:1], images[:1], regions[:1], hit[:1]) - 1.0) < 1e-6
    assert reconstruction_loss(painted, images, regions, torch.zeros(2, 1, dtype=torch.bool)) == 0.0


def test_recognition_is_the_cross_entropy_over_the_others_of_the_video() -> None:
    red, blue = torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0])
    looks = torch.stack([torch.stack([red, blue]), torch.stack([red, blue])])  # two frames of one video
    owners, videos = torch.tensor([[0, 1], [0, 1]]), torch.zeros(2, 2, dtype=torch.long)
    hit = torch.ones(2, 2, dtype=torch.bool)
    # Each finds its own at cosine 1 among two others at cosine 0.
    expected = math.log(1 + 2 * math.exp(-1 / TEMPERATURE))
    torch.testing.assert_close(contrastive_loss(looks, owners, videos, hit), torch.tensor(expected), atol=1e-5, rtol=0)
    swapped = torch.tensor([[0, 1], [1, 0]])
    assert contrastive_loss(looks, swapped, videos, hit) > 5, "looks of the wrong object"


def test_other_videos_and_misses_do_not_matter() -> None:
    torch.manual_seed(0)
    looks = torch.randn(3, 2, 8)
    owners, hit = torch.tensor([[0, 1], [0, 1], [5, 6]]), torch.ones(3, 2, dtype=torch.bool)
    videos = torch.tensor([[0, 0], [0, 0], [1, 1]])
    alone = contrastive_loss(looks[:2], owners[:2], videos[:2], hit[:2])
    torch.testing.assert_close(contrastive_loss(looks, owners, videos, hit), alone)
    assert contrastive_loss(looks, owners, videos, torch.zeros_like(hit)) == 0.0


def test_the_painter_paints() -> None:
    assert ReconstructionHead(16)(torch.zeros(2, 3, 16)).shape == (2, 3, 3, RECONSTRUCTED, RECONSTRUCTED)

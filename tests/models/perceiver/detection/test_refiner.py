"""The box refiner on rectangles whose edges lie between pixels: a pixel is as dark as the share of it that is covered."""

import pytest
import torch
from torch import Tensor

from models.perceiver.detection.refiner import JITTER, MARGIN, BoxRefiner, refinement_loss
from models.train.cpu import without_onednn_on_arm

WIDTH, HEIGHT = 48, 32


def covered(low: Tensor, high: Tensor, pixels: int) -> Tensor:
    """[B, pixels]: the share of each pixel between two edges [B]."""
    left = torch.arange(pixels, dtype=torch.float32)
    return (torch.minimum(left + 1, high[:, None]) - torch.maximum(left, low[:, None])).clamp(0, 1)


def rectangles(count: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Pictures [B, 3, H, W] of one dark rectangle each, and its box [B, 1, 4]."""
    low = 8 + 6 * torch.rand(count, 2, generator=generator)
    high = low + 10 + 4 * torch.rand(count, 2, generator=generator)
    across, down = covered(low[:, 0], high[:, 0], WIDTH), covered(low[:, 1], high[:, 1], HEIGHT)
    picture = 1 - 2 * down[:, :, None] * across[:, None, :]
    return picture[:, None].repeat(1, 3, 1, 1), torch.cat([low, high], dim=-1)[:, None]


@pytest.mark.slow
def test_edges_between_pixels_are_learned() -> None:
    torch.manual_seed(0)
    refiner, generator = BoxRefiner(16), torch.Generator().manual_seed(0)
    optimizer = torch.optim.AdamW(refiner.parameters(), 3e-3)
    with without_onednn_on_arm(torch.device("cpu")):
        for _ in range(40):
            optimizer.zero_grad()
            refinement_loss(refiner, *rectangles(12, generator)).backward()
            optimizer.step()
    images, truth = rectangles(64, generator)
    size = (truth[..., 2:] - truth[..., :2]).repeat(1, 1, 2)
    rough = truth + JITTER * size * (2 * torch.rand(truth.shape, generator=generator) - 1)
    with torch.no_grad():
        error = (refiner.eval()(images, rough) - truth).abs().mean().item()
    assert error < 0.2, error  # of a pixel
    assert error < (rough - truth).abs().mean().item() / 2


def test_an_edge_stays_near_the_box() -> None:
    torch.manual_seed(0)
    boxes = torch.tensor([[[10.0, 8.0, 20.0, 18.0], [30.0, 2.0, 46.0, 30.0]]])
    refined = BoxRefiner(8).eval()(torch.randn(1, 3, HEIGHT, WIDTH), boxes)
    size = boxes[..., 2:] - boxes[..., :2]
    assert refined.shape == boxes.shape
    assert (refined[..., :2] >= boxes[..., :2] - MARGIN * size).all()
    assert (refined[..., 2:] <= boxes[..., 2:] + MARGIN * size).all()


def test_objects_that_are_not_there_are_not_learned_from() -> None:
    torch.manual_seed(0)
    refiner, (images, truth) = BoxRefiner(8).eval(), rectangles(2, torch.Generator().manual_seed(1))
    padded = torch.cat([truth, torch.zeros_like(truth)], dim=1)
    torch.manual_seed(1)
    loss = refinement_loss(refiner, images, padded)
    torch.manual_seed(1)
    nothing = refinement_loss(refiner, images, torch.zeros_like(padded))
    assert loss.item() > 0 and nothing.item() == 0


def test_boxes_that_are_not_chosen_stay_as_they_are() -> None:
    torch.manual_seed(0)
    refiner = BoxRefiner(16).eval()
    images, truth = rectangles(3, torch.Generator().manual_seed(1))
    boxes = torch.cat([truth, truth + 1.5], dim=1)
    chosen = torch.tensor([[True, False], [False, False], [True, True]])
    with torch.no_grad():
        everywhere, some = refiner(images, boxes), refiner(images, boxes, chosen)
        none = refiner(images, boxes, torch.zeros_like(chosen))
    assert torch.equal(some[~chosen], boxes[~chosen]) and torch.equal(none, boxes)
    torch.testing.assert_close(some[chosen], everywhere[chosen])
    assert not torch.equal(everywhere[~chosen], boxes[~chosen])

import torch
from hypothesis import given
from hypothesis import strategies as st
from torchvision.ops import box_iou, nms, roi_align

from models.perceiver.detection.boxes import area, clip, decode, encode, iou, keep_best, of_images


def _boxes(count: int, seed: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    corner = torch.rand(count, 2, generator=generator) * 80
    return torch.cat([corner, corner + 2 + torch.rand(count, 2, generator=generator) * 30], dim=1)


def test_iou_is_torchvisions_for_every_image_of_a_batch() -> None:
    a, b = torch.stack([_boxes(6, k) for k in range(3)]), torch.stack([_boxes(4, 10 + k) for k in range(3)])
    for mine, one, other in zip(iou(a, b), a, b, strict=True):
        torch.testing.assert_close(mine, box_iou(one, other))


@given(st.integers(0, 10_000))
def test_decode_undoes_encode(seed: int) -> None:
    boxes, origin = _boxes(8, seed), _boxes(8, seed + 1)
    near = origin + (boxes - origin).clamp(-6, 6)
    near[:, 2:] = torch.maximum(near[:, 2:], near[:, :2] + 1)
    grown = ((near[:, 2:] - near[:, :2]) / (origin[:, 2:] - origin[:, :2])).amax(dim=1) < 4
    torch.testing.assert_close(decode(encode(near, origin), origin)[grown], near[grown], atol=1e-3, rtol=1e-4)


def test_wild_deltas_give_finite_boxes() -> None:
    wild = torch.full((1, 4), 1e4)
    assert torch.isfinite(decode(wild, torch.tensor([[0.0, 0.0, 10.0, 10.0]]))).all()


@given(st.integers(0, 10_000), st.sampled_from([0.3, 0.5, 0.7]))
def test_suppression_equals_the_greedy_one(seed: int, overlap: float) -> None:
    generator = torch.Generator().manual_seed(seed)
    boxes = torch.stack([_boxes(24, seed), _boxes(24, seed + 7)])
    scores = torch.rand(2, 24, generator=generator).sort(dim=1, descending=True).values
    kept = keep_best(boxes, torch.ones(2, 24, dtype=torch.bool), overlap)
    for image in range(2):
        expected = nms(boxes[image], scores[image], overlap)
        assert kept[image].nonzero().flatten().tolist() == sorted(expected.tolist())


def test_what_is_not_there_neither_stays_nor_suppresses() -> None:
    boxes = torch.tensor([[[0.0, 0, 10, 10], [0, 0, 10, 10], [50, 50, 60, 60]]])
    kept = keep_best(boxes, torch.tensor([[False, True, True]]), 0.5)
    assert kept.tolist() == [[False, True, True]]


def test_clip_and_area() -> None:
    boxes = clip(torch.tensor([[-5.0, -5.0, 50.0, 20.0]]), 40, 30)
    assert boxes.tolist() == [[0.0, 0.0, 40.0, 20.0]]
    assert area(boxes).item() == 800.0
    assert area(torch.tensor([5.0, 5.0, 4.0, 9.0])).item() == 0.0


def test_what_is_not_a_number_is_not_looked_for_in_memory() -> None:
    regions = torch.tensor([[[1.0, 2.0, 9.0, 8.0]], [[float("nan"), float("inf"), 3.0, -float("inf")]]])
    boxes = of_images(regions)
    assert boxes.tolist() == [[0, 1, 2, 9, 8], [1, 0, 0, 3, 0]]
    assert roi_align(torch.ones(2, 1, 12, 12), boxes, 2).isfinite().all()

import torch

from models.perceiver.training.augmentation import augmented


def test_boxes_follow_mirrored_frames_and_padding_stays_empty() -> None:
    frames = torch.full((64, 40, 60, 3), 200, dtype=torch.uint8)
    frames[:, 10:20, 5:15] = 20
    boxes = torch.zeros(64, 2, 4)
    boxes[:, 0] = torch.tensor([5.0, 10.0, 15.0, 20.0])
    images, moved = augmented(frames, boxes, torch.Generator().manual_seed(0))
    assert images.dtype == torch.uint8 and images.shape == frames.shape
    mirrored = moved[:, 0, 0] == 45
    assert 15 < int(mirrored.sum()) < 49
    assert (moved[:, 1] == 0).all()
    for image, box in zip(images, moved[:, 0], strict=True):
        x0, y0, x1, y1 = (int(n) for n in box)
        inside = image[y0 + 2 : y1 - 2, x0 + 2 : x1 - 2].float().mean()
        assert inside < image[:, 25:35].float().mean() - 20, "the dark square is where its box says"


def test_it_depends_on_the_generator_alone() -> None:
    frames, boxes = torch.randint(0, 255, (4, 20, 30, 3), dtype=torch.uint8), torch.zeros(4, 1, 4)
    one = augmented(frames, boxes, torch.Generator().manual_seed(3))[0]
    again = augmented(frames, boxes, torch.Generator().manual_seed(3))[0]
    other = augmented(frames, boxes, torch.Generator().manual_seed(4))[0]
    assert torch.equal(one, again) and not torch.equal(one, other)

import torch

from models.pcr.grounding.peaks import find_peaks


def scores(*values: float) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float32)[None, :, None]  # one set, one thing


def test_the_highest_of_neighbouring_frames_is_the_event():
    found = find_peaks(scores(-9, 1, 3, 2, -9, -9, -9, -9, 4, -9), torch.ones(1, 10, 1, dtype=torch.bool), 3, 2)
    assert found.time[0, 0, :2].tolist() == [8.0, 2.0]
    assert torch.allclose(found.probability[0, 0, :2], torch.tensor([4.0, 3.0]).sigmoid())


def test_what_is_not_possible_has_no_chance():
    possible = torch.ones(1, 6, 1, dtype=torch.bool)
    possible[:, 2:] = False
    found = find_peaks(scores(0, 1, 9, 9, 9, 9), possible, 2, 1, first=100)
    assert found.time[0, 0, 0] == 101
    assert found.probability[0, 0, 1:].eq(0).all()
    assert find_peaks(scores(1, 2), torch.zeros(1, 2, 1, dtype=torch.bool), 2, 1).probability.eq(0).all()


def test_a_plateau_is_one_event():
    found = find_peaks(scores(-5, 2, 2, 2, -5), torch.ones(1, 5, 1, dtype=torch.bool), 3, 1)
    assert (found.probability > 0).sum() <= 2  # its first frame, and the flat start of the video
    assert found.time[0, 0, 0] == 1


def test_gradients_reach_the_frames_of_the_events():
    values = scores(-1, 2, -1, -1, 3, -1).requires_grad_()
    find_peaks(values, torch.ones(1, 6, 1, dtype=torch.bool), 2, 1).probability.sum().backward()
    assert values.grad is not None and values.grad[0, :, 0].nonzero().flatten().tolist() == [1, 4]

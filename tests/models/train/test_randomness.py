import torch

from models.train.randomness import seeded


def drawn(*numbers: int) -> float:
    with seeded(*numbers):
        return torch.rand(()).item()


def test_what_is_drawn_depends_on_the_moment_alone():
    first = drawn(0, 3)
    torch.rand(5)
    assert drawn(0, 3) == first
    assert len({first, drawn(0, 4), drawn(1, 3), drawn(0, 3, 1), drawn(0, 1, 3)}) == 5


def test_outside_nothing_has_happened():
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    drawn(0, 0)
    assert torch.equal(torch.rand(3), expected)

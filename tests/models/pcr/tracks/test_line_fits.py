import pytest
import torch

from comphy.scene.objects import FPS
from models.pcr.tracks.line_fits import REACH, fit_acceleration, fit_lines

TIMES = torch.arange(30) / FPS


def path(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return torch.stack([x, y], dim=-1)[:, None]  # [T, 1, 2]


def everywhere(position: torch.Tensor) -> torch.Tensor:
    return torch.ones(position.shape[:-1], dtype=torch.bool)


def test_a_straight_line_is_fitted_exactly_even_at_the_ends():
    position = path(0.5 + 2 * TIMES, -1.0 * TIMES)
    fit = fit_lines(position, everywhere(position), -REACH, REACH)
    assert fit.known.all()
    assert torch.allclose(fit.velocity, torch.tensor([2.0, -1.0]).expand_as(fit.velocity), atol=1e-4)
    assert torch.allclose(fit.place, position, atol=1e-5)


def test_a_kink_shows_in_the_fits_before_and_after():
    x = torch.where(TIMES < 15 / FPS, TIMES, 30 / FPS - TIMES)
    position = path(x, torch.zeros(30))
    before, after = (fit_lines(position, everywhere(position), *reach) for reach in ((-REACH, 0), (0, REACH)))
    assert before.velocity[15, 0, 0] == pytest.approx(1.0, abs=1e-4)
    assert after.velocity[15, 0, 0] == pytest.approx(-1.0, abs=1e-4)


def test_invalid_frames_are_left_out():
    position = path(TIMES, torch.zeros(30))
    position[10] = 99.0
    valid = everywhere(position)
    valid[10] = False
    fit = fit_lines(position, valid, -REACH, REACH)
    assert torch.allclose(fit.velocity[8:13, 0, 0][[0, 1, 3, 4]], torch.ones(4), atol=1e-4)
    assert not fit.known[10].any() and fit.velocity[10].eq(0).all()


def test_too_few_frames_tell_nothing():
    position = path(TIMES, TIMES)
    valid = torch.zeros(30, 1, dtype=torch.bool)
    valid[4:6] = True
    assert not fit_lines(position, valid, -REACH, REACH).known.any()


def test_acceleration_of_a_parabola():
    position = path(0.5 * 0.8 * TIMES**2, torch.zeros(30))
    acceleration, known = fit_acceleration(position, everywhere(position), 8)
    assert known[8:22].all() and not known[:7].any()
    assert torch.allclose(acceleration[8:22, 0, 0], torch.full((14,), 0.8), atol=2e-3)

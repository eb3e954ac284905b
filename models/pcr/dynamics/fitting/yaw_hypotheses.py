"""Hypotheses about how a cube turns, from the size of its boxes: a hidden Markov model over discretised yaw and spin.

A cube's box is the wider the more the cube shows an edge. One box leaves two yaws, mirrored at the line of sight, and a cube
that turns leaves many ways to go on at each of them. So whole tracks are drawn from the posterior (forward filtering,
backward sampling); the state fit chooses among them.

Shapes: M objects, T frames, K yaws of a quarter turn (a cube's symmetry), W spins, C hypotheses.
"""

import math
from typing import Final

import torch
from torch import Tensor
from torch.nn.functional import one_hot

from comphy.scene.vocabulary import Shape
from models.pcr.tracks.projection import Projection

_YAWS: Final = 36
_QUARTER: Final = math.pi / 2
_FASTEST: Final = 6  # yaws per frame: 6.5 radians per second
_WOBBLE: Final = (0.15, 0.7, 0.15)  # chances of turning by one yaw less, as much as, and one more than the spin says
_KEEPS: Final = 0.9  # chance of the same spin in the next frame
_LEAPS: Final = 0.02  # chance of any other spin, after an impact; the rest goes to neighbouring spins
_OUTLIER: Final = 1e-4  # floor of the likelihood: a box may be an outlier


def sample_yaws(
    projection: Projection, boxes: Tensor, seen: Tensor, place: Tensor, noise: Tensor, count: int, rng: torch.Generator
) -> Tensor:
    """[C, M, T]: tracks of yaw in radians, without leaps between quarter turns. boxes [M, T, 4] in image widths; seen
    [M, T]: where none of their edges is hidden; place [M, T, 2]; noise [M]: standard deviation of an edge. All objects
    share the random numbers, so that an object's hypotheses do not depend on what else is in the batch."""
    forward = _filtered(_likelihood(projection, boxes, seen, place, noise))
    luck = torch.rand((boxes.shape[1], count), generator=rng).to(forward)
    yaws = _sampled(forward, luck)
    return torch.stack(yaws, dim=-1).to(place.dtype) * (_QUARTER / _YAWS)


def _likelihood(projection: Projection, boxes: Tensor, seen: Tensor, place: Tensor, noise: Tensor) -> Tensor:
    """[M, T, K]: of the sides of boxes."""
    yaws = torch.arange(_YAWS, device=place.device) * (_QUARTER / _YAWS)
    at = (*place.shape[:2], _YAWS)
    shape = one_hot(torch.tensor(tuple(Shape).index(Shape.CUBE)), len(Shape)).to(place)
    expected = projection.boxes(place[..., None, :].expand(*at, 2), yaws.expand(at).to(place), shape.expand(*at, 3))
    sides = [edges[..., 2:] - edges[..., :2] for edges in (boxes[..., None, :], expected)]
    misfit = (sides[0] - sides[1]).square().sum(dim=-1) / (4 * noise.square()[:, None, None])
    return torch.where(seen[..., None], torch.exp(-misfit) + _OUTLIER, 1.0)


def _spin_changes(like: Tensor) -> Tensor:
    """[W, W]: chances of a spin (columns) after another (rows)."""
    spins = 2 * _FASTEST + 1
    number = torch.arange(spins, device=like.device)
    apart = (number[:, None] - number).abs()
    beside = (apart == 1).to(like.dtype)
    beside = beside / beside.sum(dim=1, keepdim=True)
    return _KEEPS * (apart == 0) + _LEAPS / spins + (1 - _KEEPS - _LEAPS) * beside


def _filtered(likelihood: Tensor) -> Tensor:
    """[T, M, K, W]: chances of yaw and spin given all frames so far."""
    changes = _spin_changes(likelihood)
    spins = len(changes)
    chance = likelihood[:, 0, :, None].expand(-1, -1, spins)
    chances = [chance / chance.sum(dim=(1, 2), keepdim=True)]
    for now in likelihood.unbind(dim=1)[1:]:
        arriving = chances[-1] @ changes
        turned = [arriving[..., w].roll(w - _FASTEST, dims=1) for w in range(spins)]
        moved = torch.stack(turned, dim=-1)
        wobbled = [part * moved.roll(step, dims=1) for step, part in zip((-1, 0, 1), _WOBBLE, strict=True)]
        chance = torch.stack(wobbled).sum(dim=0) * now[..., None]
        chances.append(chance / chance.sum(dim=(1, 2), keepdim=True))
    return torch.stack(chances)


def _sampled(forward: Tensor, luck: Tensor) -> list[Tensor]:
    """Yaws [C, M] of each frame as whole numbers, drawn backwards in time with the random numbers [T, C]."""
    *_, yaws, spins = forward.shape
    changes = _spin_changes(forward)
    wobble = forward.new_zeros(yaws)
    wobble[torch.tensor([-1, 0, 1])] = forward.new_tensor(_WOBBLE)
    number = torch.arange(yaws, device=forward.device)

    def drawn(chance: Tensor, luck: Tensor) -> tuple[Tensor, Tensor]:
        """yaw and spin [C, M] from chances [C, M, K, W]."""
        total = chance.flatten(2).cumsum(dim=-1)
        picked = (total < luck[:, None, None] * total[..., -1:]).sum(dim=-1)
        return picked // spins, picked % spins

    yaw, spin = drawn(forward[-1].expand(luck.shape[1], -1, -1, -1), luck[-1])
    whole = yaw
    tracks = [whole]
    for before, now in zip(forward.flip(0)[1:], luck.flip(0)[1:], strict=True):
        arrives = wobble[(yaw[..., None] - number - (spin[..., None] - _FASTEST)) % yaws]  # [C, M, K]
        chance = before * arrives[..., None] * changes[:, spin].permute(1, 2, 0)[:, :, None]
        earlier, spin = drawn(chance, now)
        turned = (yaw - earlier + yaws // 2) % yaws - yaws // 2
        whole, yaw = whole - turned, earlier
        tracks.append(whole)
    return tracks[::-1]

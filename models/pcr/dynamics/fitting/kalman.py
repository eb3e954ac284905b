"""Kalman filter and Rauch-Tung-Striebel smoother for many short series at once, with samples from the posterior.

Shapes: M series, T times, D state components, K measured values, C samples.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

_JITTER = 1e-12  # keeps a covariance invertible where the model leaves no uncertainty

_SLACK = 1e-10  # added to covariances before their square root: rounding may have made them slightly indefinite


@dataclass(frozen=True)
class LinearModel:
    """A linear-Gaussian model: x[t + 1] = transition[t] x[t] + offset[t] + noise of covariance process[t], and measured[t]
    = observation[t] x[t] + noise of variance[t]. Values that were not measured have zero rows of `observation`.

    mean [M, D] and covariance [M, D, D] are the prior of x[0]; transition, process [M, T - 1, D, D]; offset [M, T - 1, D];
    observation [M, T, K, D]; measured, variance [M, T, K]."""

    mean: Tensor
    covariance: Tensor
    transition: Tensor
    offset: Tensor
    process: Tensor
    observation: Tensor
    measured: Tensor
    variance: Tensor

    def rows(self, rows: Tensor) -> "LinearModel":
        """The same for some of the series."""
        return LinearModel(*(part[rows] for part in vars(self).values()))


Gaussian = tuple[Tensor, Tensor]  # mean and covariance


@dataclass(frozen=True)
class Posterior:
    """Of the states given all measurements: mean [M, T, D], covariance [M, T, D, D], and log_likelihood [M] of the
    measurements up to a constant. gain [M, T - 1, D, D] and left [M, T - 1, D, D]: x[t] given x[t + 1] has the mean
    mean[t] + gain[t] (x[t + 1] - mean[t + 1]) and the covariance left[t]."""

    mean: Tensor
    covariance: Tensor
    log_likelihood: Tensor
    gain: Tensor
    left: Tensor

    def sample(self, noise: Tensor) -> Tensor:
        """[C, M, T, D]: trajectories drawn from the posterior by backward sampling, with standard normal noise
        [C, M, T, D]."""
        times = self.mean.shape[1]
        if not len(noise):
            return self.mean.new_zeros(0, *self.mean.shape)
        roots = _square_root(torch.cat([self.left, self.covariance[:, -1:]], dim=1))
        away = (roots[:, -1] @ noise[:, :, -1, :, None])[..., 0]
        deviations = [away]
        for time in range(times - 2, -1, -1):
            away = (self.gain[:, time] @ away[..., None] + roots[:, time] @ noise[:, :, time, :, None])[..., 0]
            deviations.append(away)
        return self.mean + torch.stack(deviations[::-1], dim=2)


def smooth(model: LinearModel) -> Posterior:
    """The posterior of all states given all measurements."""
    expected, filtered, likelihood = _filter(model)
    mean, covariance = filtered[-1]
    eye = torch.eye(mean.shape[-1], dtype=mean.dtype, device=mean.device)
    means, covariances, gains, left = [mean], [covariance], [], []
    for time in range(len(filtered) - 2, -1, -1):
        mean, covariance = filtered[time]
        ahead_mean, ahead = expected[time + 1]
        gain = torch.linalg.solve(ahead + _JITTER * eye, model.transition[:, time] @ covariance).mT
        gains.append(gain)
        left.append(_symmetric(covariance - gain @ ahead @ gain.mT))
        means.append(mean + times(gain, means[-1] - ahead_mean))
        covariances.append(_symmetric(covariance + gain @ (covariances[-1] - ahead) @ gain.mT))
    return Posterior(
        torch.stack(means[::-1], dim=1),
        torch.stack(covariances[::-1], dim=1),
        likelihood,
        torch.stack(gains[::-1], dim=1),
        torch.stack(left[::-1], dim=1),
    )


def log_likelihood(model: LinearModel) -> Tensor:
    """[M]: of the measurements, up to a constant."""
    return _filter(model)[2]


def _filter(model: LinearModel) -> tuple[list[Gaussian], list[Gaussian], Tensor]:
    """For each time the state as expected from the measurements before, and given that of this time as well; and the log
    likelihood [M]."""
    mean, covariance = model.mean, model.covariance
    likelihood = mean.new_zeros(len(mean))
    expected, filtered = [], []
    for time in range(model.measured.shape[1]):
        if time:
            step = model.transition[:, time - 1]
            mean = times(step, mean) + model.offset[:, time - 1]
            covariance = step @ covariance @ step.mT + model.process[:, time - 1]
        expected.append((mean, covariance))
        seen = model.observation[:, time]
        across = seen @ covariance
        spread = across @ seen.mT + torch.diag_embed(model.variance[:, time])
        root = torch.linalg.cholesky(spread)
        surprise = model.measured[:, time] - times(seen, mean)
        gain = torch.cholesky_solve(across, root).mT
        white = torch.linalg.solve_triangular(root, surprise[..., None], upper=False)[..., 0]
        likelihood = likelihood - white.square().sum(dim=-1) / 2 - root.diagonal(dim1=-2, dim2=-1).log().sum(dim=-1)
        mean = mean + times(gain, surprise)
        covariance = _symmetric(covariance - gain @ across)
        filtered.append((mean, covariance))
    return expected, filtered, likelihood


def times(matrix: Tensor, vector: Tensor) -> Tensor:
    """Products of matrices [..., K, D] and vectors [..., D]."""
    return (matrix @ vector[..., None])[..., 0]


def _symmetric(matrix: Tensor) -> Tensor:
    return (matrix + matrix.mT) / 2


def _square_root(covariance: Tensor) -> Tensor:
    """Lower triangular square roots of covariances."""
    eye = torch.eye(covariance.shape[-1], dtype=covariance.dtype, device=covariance.device)
    return torch.linalg.cholesky_ex(covariance + _SLACK * eye).L

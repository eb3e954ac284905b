"""The smoother against the posterior of the joint Gaussian of all states and measurements, computed as one big matrix."""

import pytest
import torch

from models.pcr.dynamics.fitting.kalman import LinearModel, Posterior, smooth

TIMES, SIZE, VALUES = 4, 2, 1


@pytest.fixture
def model() -> LinearModel:
    rng = torch.Generator().manual_seed(0)

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(shape, generator=rng, dtype=torch.float64)

    def covariance(*shape: int) -> torch.Tensor:
        root = normal(*shape, SIZE, SIZE)
        return root @ root.mT + 0.1 * torch.eye(SIZE, dtype=torch.float64)

    observation = normal(3, TIMES, VALUES, SIZE)
    observation[1, 2] = 0  # not measured
    return LinearModel(
        normal(3, SIZE),
        covariance(3),
        normal(3, TIMES - 1, SIZE, SIZE),
        normal(3, TIMES - 1, SIZE),
        covariance(3, TIMES - 1),
        observation,
        normal(3, TIMES, VALUES),
        normal(3, TIMES, VALUES).exp(),
    )


def joint_posterior(model: LinearModel, row: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Mean and covariance of all states of one series, by conditioning the joint Gaussian."""
    mean, blocks = [model.mean[row]], [[model.covariance[row]]]
    for t in range(TIMES - 1):
        step = model.transition[row, t]
        mean.append(step @ mean[-1] + model.offset[row, t])
        before = [step @ blocks[t][k] if k <= t else None for k in range(t + 1)]
        blocks.append([*before, step @ blocks[t][t] @ step.T + model.process[row, t]])
    whole = torch.zeros(TIMES * SIZE, TIMES * SIZE, dtype=torch.float64)
    for i, line in enumerate(blocks):
        for j, block in enumerate(line):
            whole[i * SIZE : (i + 1) * SIZE, j * SIZE : (j + 1) * SIZE] = block
            whole[j * SIZE : (j + 1) * SIZE, i * SIZE : (i + 1) * SIZE] = block.T
    prior = torch.cat(mean)
    seen = torch.block_diag(*model.observation[row])
    gain = whole @ seen.T @ torch.linalg.inv(seen @ whole @ seen.T + torch.diag(model.variance[row].flatten()))
    return prior + gain @ (model.measured[row].flatten() - seen @ prior), whole - gain @ seen @ whole


def test_means_and_covariances_are_those_of_the_joint_gaussian(model: LinearModel):
    found = smooth(model)
    for row in range(3):
        mean, covariance = joint_posterior(model, row)
        assert torch.allclose(found.mean[row].flatten(), mean)
        blocks = [covariance[t * SIZE : (t + 1) * SIZE, t * SIZE : (t + 1) * SIZE] for t in range(TIMES)]
        assert torch.allclose(found.covariance[row], torch.stack(blocks))


def test_samples_have_the_posterior_s_mean_and_joint_covariance(model: LinearModel):
    found: Posterior = smooth(model)
    noise = torch.randn(200_000, 3, TIMES, SIZE, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    drawn = found.sample(noise)
    for row in range(3):
        mean, covariance = joint_posterior(model, row)
        flat = drawn[:, row].flatten(1)
        scale = covariance.diagonal().sqrt()
        assert ((flat.mean(dim=0) - mean) / scale).abs().max() < 0.02
        assert ((flat.T.cov() - covariance) / scale[:, None] / scale).abs().max() < 0.02


def test_the_likelihood_prefers_the_model_that_made_the_measurements(model: LinearModel):
    """By the formula: differences of log-likelihood are those of the Gaussian density of all measurements."""
    for row in range(3):
        seen = torch.block_diag(*model.observation[row])
        densities = []
        for shift in (0.0, 1.0):
            moved = LinearModel(**{**vars(model), "measured": model.measured + shift})
            mean, whole = [model.mean[row]], None
            for t in range(TIMES - 1):
                mean.append(model.transition[row, t] @ mean[-1] + model.offset[row, t])
            unmeasured = LinearModel(**{**vars(model), "observation": torch.zeros_like(model.observation)})
            _, whole = joint_posterior(unmeasured, row)
            spread = seen @ whole @ seen.T + torch.diag(model.variance[row].flatten())
            surprise = moved.measured[row].flatten() - seen @ torch.cat(mean)
            expected = -(surprise @ torch.linalg.solve(spread, surprise)) / 2 - torch.logdet(spread) / 2
            densities.append((expected, smooth(moved).log_likelihood[row]))
        assert densities[0][0] - densities[1][0] == pytest.approx(float(densities[0][1] - densities[1][1]))

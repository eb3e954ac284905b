"""MONet: a frame is explained part by part, each by a few numbers (Burgess et al., "MONet: Unsupervised Scene
Decomposition and Representation", 2019).

    attention   looks at the frame x and at what is still unexplained, the scope s (everything at first), and says which
                share a of the scope the next part takes: its mask is m_k = s a, and s (1 - a) is left. The last part
                takes the rest.
    encoder     describes the frame as seen through a mask by mean and deviation of latents z_k, all parts alike.
    decoder     draws from z_k what the part looks like anywhere in the frame, and where it is.
    loss        -log sum_k m_k N(x; drawn_k, sigma)   what was drawn is the frame, as far as each mask goes
                + beta KL(z_k, N(0, 1))               few bits suffice
                + gamma KL(masks, drawn masks)        the latents know where the part is.

The means of the latents are the slots that ALOE sees.

Shapes: B frames of H x W pixels, K parts, Z latents.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True)
class MONetSize:
    width: int = 144  # pixels of a frame; the height is two thirds of it
    slots: int = 8  # parts of a frame
    latents: int = 16  # of a part
    channels: tuple[int, ...] = (32, 32, 64, 64, 64)  # of the attention, each at half the resolution of the one before
    component: int = 32  # channels of encoder and decoder
    background_sigma: float = 0.09  # of the first part's pixels
    foreground_sigma: float = 0.11
    beta: float = 0.5
    gamma: float = 0.5

    def __post_init__(self) -> None:
        step = 3 * 2 ** (len(self.channels) - 1)
        if self.width < 96 or self.width % step or self.width % 24:
            raise ValueError(f"expected a width of at least 96 that {step} and 24 divide (got {self.width})")
        if self.slots < 2 or min(self.latents, self.component, *self.channels) < 1 or len(self.channels) < 2:
            raise ValueError("expected at least 2 slots and 2 channels, and latents and component of at least 1")
        if min(self.background_sigma, self.foreground_sigma) <= 0 or min(self.beta, self.gamma) < 0:
            raise ValueError("expected sigmas above 0, and beta and gamma not below 0")

    @property
    def picture(self) -> tuple[int, int]:
        """Height and width."""
        return self.width * 2 // 3, self.width


class Parts(NamedTuple):
    """Log masks [B, K, H, W]; mean and log variance [B, K, Z] of the latents."""

    masks: Tensor
    mean: Tensor
    log_variance: Tensor


class MONetLosses(NamedTuple):
    """Each [B]: what the loss is the sum of, beta and gamma included."""

    pixels: Tensor
    latents: Tensor
    masks: Tensor


class MONet(nn.Module):
    def __init__(self, size: MONetSize) -> None:
        super().__init__()
        self.size = size
        self.attention = Attention(size.channels, size.picture)
        self.encoder = _encoder(size)
        self.decoder = Decoder(size)

    def forward(self, images: Tensor) -> Tensor:
        """Images [B, 3, H, W] from 0 to 1 to slots [B, K, Z]."""
        return self.parts(images).mean

    def parts(self, images: Tensor) -> Parts:
        scope = torch.zeros_like(images[:, :1])
        masks = []
        for _ in range(self.size.slots - 1):
            logit = self.attention(torch.cat([images, scope], dim=1)).float()
            masks.append(scope + functional.logsigmoid(logit))
            scope = scope + functional.logsigmoid(-logit)
        stacked = torch.cat([*masks, scope], dim=1)
        seen = torch.cat([images[:, None].expand(-1, self.size.slots, -1, -1, -1), stacked[:, :, None]], dim=2)
        mean, log_variance = self.encoder(seen.flatten(0, 1)).float().unflatten(0, stacked.shape[:2]).chunk(2, dim=-1)
        return Parts(stacked, mean, log_variance.clamp(-10, 10))

    def drawn(self, latents: Tensor) -> tuple[Tensor, Tensor]:
        """Latents [B, K, Z] to pictures [B, K, 3, H, W] and log masks [B, K, H, W]."""
        out = self.decoder(latents.flatten(0, 1)).float().unflatten(0, latents.shape[:2])
        return torch.sigmoid(out[:, :, :3]), torch.log_softmax(out[:, :, 3], dim=1)

    def losses(self, images: Tensor) -> MONetLosses:
        parts = self.parts(images)
        noise = torch.randn(parts.mean.shape).to(images.device)  # the CPU's, whose state is kept
        pictures, masks = self.drawn(parts.mean + noise * (parts.log_variance / 2).exp())
        sigma = torch.full((self.size.slots, 1, 1, 1), self.size.foreground_sigma, device=images.device)
        sigma[0] = self.size.background_sigma
        likelihood = (
            torch.distributions.Normal(pictures, sigma, validate_args=False).log_prob(images[:, None]).sum(dim=2)
        )
        pixels = -torch.logsumexp(parts.masks + likelihood, dim=1).sum(dim=(1, 2))
        spread = parts.mean.square() + parts.log_variance.exp() - 1 - parts.log_variance
        wrong_masks = (parts.masks.exp() * (parts.masks - masks)).sum(dim=(1, 2, 3))
        return MONetLosses(pixels, self.size.beta * spread.sum(dim=(1, 2)) / 2, self.size.gamma * wrong_masks)


class Attention(nn.Module):
    """A U-Net: frame and log scope [B, 4, H, W] to the logit of the next part's share [B, 1, H, W]."""

    def __init__(self, channels: Sequence[int], picture: tuple[int, int]) -> None:
        super().__init__()
        self.down = nn.ModuleList(_block(a, b) for a, b in zip((4, *channels), channels, strict=False))
        scale = 2 ** (len(channels) - 1)
        self._lowest = (channels[-1], picture[0] // scale, picture[1] // scale)
        flat = self._lowest[0] * self._lowest[1] * self._lowest[2]
        self.middle = nn.Sequential(
            nn.Linear(flat, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, flat)
        )
        upward = list(reversed(channels))
        self.up = nn.ModuleList(_block(2 * a, b) for a, b in zip(upward, [*upward[1:], channels[0]], strict=True))
        self.head = nn.Conv2d(channels[0], 1, 1)

    def forward(self, seen: Tensor) -> Tensor:
        skips, x = [], seen
        for number, block in enumerate(self.down):
            x = block(x if number == 0 else functional.interpolate(x, scale_factor=0.5))
            skips.append(x)
        x = torch.relu(self.middle(x.flatten(1))).unflatten(1, self._lowest)
        for number, block in enumerate(self.up):
            x = block(torch.cat([x, skips.pop()], dim=1))
            if number < len(self.up) - 1:
                x = functional.interpolate(x, scale_factor=2.0)
        share: Tensor = self.head(x)
        return share


class Decoder(nn.Module):
    """Spatial broadcast decoder (Watters et al., 2019): latents [B, Z] to colours and mask logits [B, 4, H, W]."""

    def __init__(self, size: MONetSize) -> None:
        super().__init__()
        height, width = size.picture
        rows, columns = (torch.linspace(-1, 1, pixels + 8) for pixels in (height, width))  # four convolutions take 8
        self.register_buffer("places", torch.stack(torch.meshgrid(rows, columns, indexing="ij")))
        layers: list[nn.Module] = []
        for inputs in (size.latents + 2, *(size.component,) * 3):
            layers += [nn.Conv2d(inputs, size.component, 3), nn.ReLU()]
        self.layers = nn.Sequential(*layers, nn.Conv2d(size.component, 4, 1))

    def forward(self, latents: Tensor) -> Tensor:
        places = self.get_buffer("places")
        everywhere = latents[:, :, None, None].expand(-1, -1, *places.shape[1:])
        drawn: Tensor = self.layers(torch.cat([everywhere, places.expand(len(latents), -1, -1, -1)], dim=1))
        return drawn


def _block(inputs: int, outputs: int) -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, padding=1, bias=False), nn.InstanceNorm2d(outputs, affine=True), nn.ReLU()
    )


def _encoder(size: MONetSize) -> nn.Module:
    """Frame and log mask [B, 4, H, W] to mean and log variance [B, 2 Z]."""
    c, (height, width) = size.component, size.picture
    layers: list[nn.Module] = []
    for inputs, outputs in ((4, c), (c, c), (c, 2 * c), (2 * c, 2 * c)):
        layers += [nn.Conv2d(inputs, outputs, 3, stride=2, padding=1), nn.ReLU()]
    flat = 2 * c * -(-height // 16) * -(-width // 16)
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(flat, 256), nn.ReLU(), nn.Linear(256, 2 * size.latents))

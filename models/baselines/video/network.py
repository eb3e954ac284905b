"""Networks that describe frames. They are not trained here: features are computed once.

Shapes: F frames, D features, C cells of the grid that features are averaged in.
"""

from collections.abc import Callable
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional
from torchvision.models import resnet50

from comphy.errors import ConfigError, DatasetError
from comphy.files import sha256
from comphy.resources import find_weights
from models.baselines.monet.training import MODEL, load_monet
from models.baselines.video.settings import FrameSettings, NetworkName
from models.perceiver.cache.index import CacheKey
from models.perceiver.detection.checkpoint import load_detector, weights_of
from models.train.checkpoint import load_weights
from models.train.randomness import seeded

_NORMALISED = {  # mean and standard deviation of pixels from 0 to 1, as each network was trained
    NetworkName.RESNET50: ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)),
    NetworkName.PERCEIVER: ((128 / 255,) * 3, (64 / 255,) * 3),
    NetworkName.MONET: ((0.0,) * 3, (1.0,) * 3),
}
_COUNTERS = "num_batches_tracked"  # of batch normalisation; missing in older files, and used in training only
_HEAD = "fc."


class FrameNetwork(nn.Module):
    """A convolutional network, its outputs averaged over the cells of a grid, or one that gives `slots` objects. `described`
    says what it is, `checkpoint` is a hash of its weights."""

    def __init__(
        self,
        body: nn.Module,
        features: int,
        settings: FrameSettings,
        described: str,
        checkpoint: str,
        slots: int | None = None,
    ) -> None:
        super().__init__()
        self.body, self.features, self.described, self.checkpoint = body, features, described, checkpoint
        self._grid, self._slots = (settings.rows, settings.columns), slots
        mean, std = _NORMALISED[NetworkName(settings.network)]
        self.register_buffer("mean", 255 * torch.tensor(mean).reshape(3, 1, 1))
        self.register_buffer("std", 255 * torch.tensor(std).reshape(3, 1, 1))

    def forward(self, frames: Tensor) -> Tensor:
        """8-bit frames [F, H, W, 3] to features [F, C, D]."""
        images = (frames.permute(0, 3, 1, 2).float() - self.get_buffer("mean")) / self.get_buffer("std")
        found: Tensor = self.body(images).float()
        if self._slots is not None:
            return found
        return functional.adaptive_avg_pool2d(found, self._grid).flatten(2).transpose(1, 2)

    @property
    def cells(self) -> int:
        """Of a frame."""
        return self._slots if self._slots is not None else self._grid[0] * self._grid[1]


def build_network(settings: FrameSettings) -> FrameNetwork:
    """The network that a config names.

    Raises:
        DatasetError: weights that are missing, damaged or of another network.
    """
    build: Callable[[FrameSettings], FrameNetwork] = {
        NetworkName.RESNET50: _resnet50,
        NetworkName.PERCEIVER: _perceiver,
        NetworkName.MONET: _monet,
    }[NetworkName(settings.network)]
    return build(settings).eval()


def _resnet50(settings: FrameSettings) -> FrameNetwork:
    path = None if settings.weights is None else Path(settings.weights)
    read = None if path is None else _read(path)  # before the network is built, which takes longer
    with seeded(0):
        net = resnet50(weights=None)
    features = net.fc.in_features
    body = nn.Sequential(
        *(net.conv1, net.bn1, net.relu, net.maxpool, net.layer1, net.layer2, net.layer3, net.layer4),
    )
    if path is None or read is None:
        return FrameNetwork(body, features, settings, "a ResNet-50 with random weights", "random weights, seed 0")
    own = {name: tensor for name, tensor in net.state_dict().items() if name.endswith(_COUNTERS)}
    found = {name: tensor for name, tensor in read.items() if not name.startswith(_HEAD)}
    net.fc = nn.Identity()
    load_weights(net, own | found, path)
    return FrameNetwork(body, features, settings, f"a ResNet-50 with the weights {path.name}", sha256(path))


def _perceiver(settings: FrameSettings) -> FrameNetwork:
    assert settings.weights is not None, "settings ask for it"
    path = find_weights(settings.weights)
    body = load_detector(path).get_submodule("trunk")
    key = CacheKey.of(weights_of(path), "", {})
    features = body(torch.zeros(1, 3, 96, 96)).shape[1]
    return FrameNetwork(body, features, settings, f"the backbone of the perceiver {settings.weights}", key.checkpoint)


def _monet(settings: FrameSettings) -> FrameNetwork:
    assert settings.weights is not None, "settings ask for it"
    path = Path(settings.weights)
    body = load_monet(path)
    size = body.size
    if size.width != settings.width:
        raise ConfigError(
            f"frames.width={settings.width}: expected {size.width}, the width of frames that {path} was trained on."
        )
    key = CacheKey.of(path / MODEL if path.is_dir() else path, "", {})
    return FrameNetwork(body, size.latents, settings, f"the MONet {path}", key.checkpoint, size.slots)


def _read(path: Path) -> dict[str, Tensor]:
    """Weights in torchvision's form, from a file of torch or of safetensors; no code in a file is ever run."""
    if not path.is_file():
        raise DatasetError(
            f"{path}: expected a file with the weights of torchvision's ResNet-50 (found none). Check frames.weights, or "
            "leave it out for random weights."
        )
    try:
        loaded = load_file(path) if path.suffix == ".safetensors" else torch.load(path, "cpu", weights_only=True)
        if not isinstance(loaded, dict) or not all(isinstance(value, Tensor) for value in loaded.values()):
            raise TypeError("not a dictionary of tensors")
    except (SafetensorError, RuntimeError, ValueError, TypeError, EOFError, OSError, KeyError) as error:
        raise DatasetError(
            f"{path}: expected the weights of torchvision's ResNet-50 as torch.save writes its state_dict "
            f"(got: {str(error).splitlines()[0]}). Download the file again."
        ) from None
    except Exception as error:  # what the unpickler refuses is of several kinds
        raise DatasetError(
            f"{path}: expected a state_dict of tensors alone (got {type(error).__name__}). Download the file again."
        ) from None
    return loaded

"""The device of a training."""

import torch

from comphy.errors import ConfigError


def pick_device(name: str) -> torch.device:
    """The device of a setting; `auto` is cuda where there is one, else cpu."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    kind = name.partition(":")[0]
    if kind not in ("cpu", "cuda"):
        raise ConfigError(f"device={name}: expected auto, cpu or cuda (got '{kind}').")
    try:
        device = torch.device(name)
    except RuntimeError:
        raise ConfigError(f"device={name}: expected auto, cpu, cuda or such as cuda:1.") from None
    if kind == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        there = torch.cuda.device_count() or "none"
        raise ConfigError(
            f"device={name}: no such CUDA device is here (found {there}). Use device=cpu, or device=auto."
        )
    return device

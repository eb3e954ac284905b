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
    if kind == "cuda" and not torch.cuda.is_available():
        raise ConfigError(f"device={name}: no CUDA device is here. Use device=cpu, or device=auto.")
    return torch.device(name)

import pytest
import torch

from comphy.errors import ConfigError
from models.train.device import pick_device


def test_the_named_device_or_the_best_there_is():
    assert pick_device("cpu") == torch.device("cpu")
    assert pick_device("auto").type == ("cuda" if torch.cuda.is_available() else "cpu")


def test_devices_that_are_not_there_are_explained():
    with pytest.raises(ConfigError, match="device=tpu: expected auto, cpu or cuda"):
        pick_device("tpu")
    if not torch.cuda.is_available():
        with pytest.raises(ConfigError, match=r"no such CUDA device is here \(found none\)\. Use device=cpu"):
            pick_device("cuda")

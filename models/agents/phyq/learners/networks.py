"""Networks by the name of their kind."""

from collections.abc import Callable
from typing import Final

from torch import nn

from models.agents.phyq.learners.config import NetworkKind, NetworkSettings
from models.agents.phyq.learners.path_network import FlightPathNetwork
from models.agents.phyq.learners.published_networks import ImageDDQN, RelationalDQN, SymbolicDDQN
from models.agents.phyq.learners.views import CHANNELS

_NETWORKS: Final[dict[NetworkKind, Callable[[int, int, int], nn.Module]]] = {
    NetworkKind.DDQN_SYMBOLIC: SymbolicDDQN,
    NetworkKind.DDQN_IMAGE: ImageDDQN,
    NetworkKind.RELATIONAL_SYMBOLIC: RelationalDQN,
    NetworkKind.RELATIONAL_IMAGE: RelationalDQN,
    NetworkKind.FLIGHT_PATHS: FlightPathNetwork,
}


def make_network(settings: NetworkSettings) -> nn.Module:
    """From views [B, C, 120, 160] to Q-values [B, 180]."""
    kind = NetworkKind(settings.kind)
    return _NETWORKS[kind](CHANNELS[kind.view], settings.width, settings.hidden)

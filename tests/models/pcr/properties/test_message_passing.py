"""Our round of message passing against torch-geometric's."""

import torch
from torch_geometric.nn import MessagePassing

from models.pcr.properties.message_passing import Round

SIZE = 6


class Theirs(MessagePassing):
    def __init__(self, ours: Round) -> None:
        super().__init__(aggr="sum")
        self.relate, self.encode = ours.relate, ours.encode

    def forward(self, nodes: torch.Tensor, edge_index: torch.Tensor, edges: torch.Tensor) -> torch.Tensor:
        return self.encode(torch.cat([self.propagate(edge_index, x=nodes, edges=edges), nodes], dim=-1))

    def message(self, x_i: torch.Tensor, x_j: torch.Tensor, edges: torch.Tensor) -> torch.Tensor:
        return self.relate(torch.cat([x_i, x_j, edges], dim=-1))


def test_a_round_is_torch_geometric_s_message_passing():
    torch.manual_seed(0)
    ours = Round(SIZE)
    nodes, edge_index = torch.randn(5, SIZE), torch.randint(5, (2, 12))
    edges = torch.randn(12, SIZE)
    updated, messages = ours(nodes, edge_index, edges)
    assert messages.shape == (12, SIZE)
    torch.testing.assert_close(updated, Theirs(ours)(nodes, edge_index, edges))

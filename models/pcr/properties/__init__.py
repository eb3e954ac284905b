"""Hidden properties: the `inferencer` (a graph network over motion), the `paper_inferencer` it is measured against (Eq. 2),
and `refinement`, which holds properties against the motion that they explain."""

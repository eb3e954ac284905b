"""Agents by rules, written after the published descriptions. `relations` says what bears, covers, hides and reaches what;
`ranking` chooses among what strategies propose; `bambirds`, `eagles_wing` and `datalab` are the agents."""

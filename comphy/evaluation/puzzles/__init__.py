"""Results of puzzle agents: `phyre/` and `phyq/`. AUCCESS itself is in `comphy.puzzles.phyre.benchmark`."""

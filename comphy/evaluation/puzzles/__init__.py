"""Results of puzzle agents: `results` (files of PHYRE agents), their `tables` and `plots`, and `phyq_score` (Phy-Q). AUCCESS
itself is in `comphy.puzzles.phyre.benchmark`.
"""

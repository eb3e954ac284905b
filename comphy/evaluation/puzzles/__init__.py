"""Scores of puzzle agents: `auccess` (PHYRE), `phyq_score` (Phy-Q), result files, and their tables and plots."""

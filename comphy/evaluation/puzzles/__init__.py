"""Results of puzzle agents. PHYRE: `results` (files), their `tables` and `plots`. Phy-Q: `phyq_results` and
`phyq_unfinished` (files), `phyq_rates` (means and intervals), `phyq_score`, `phyq_tables`, `phyq_published` (agents),
`phyq_comparison` and `phyq_plots`. AUCCESS itself is in `comphy.puzzles.phyre.benchmark`.
"""

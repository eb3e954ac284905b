"""Results of Phy-Q's agents. Read `results` and `unfinished` (files), `score` (agents beside people), `rates` (means and
intervals), `published` (agents), then `comparison`, `tables` and `plots`. `round` and `round_file` are rounds as people had
them."""

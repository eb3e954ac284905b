"""Agents that learn from stored plays: dueling double DQN and relational DQN, as published, and one of ours.

Read `config`, then `experience` (plays as transitions) and `views` (what a network sees of them), the networks in
`published_networks` and `path_network`, `replay` and `training`, `runs` (all networks of a set-up, with weights `packing`),
`parallel_training` (many at once) and `agent` (who plays)."""

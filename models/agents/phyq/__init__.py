"""Agents that play Phy-Q; `agents` finds them by name. `perception` tells kinds by their colours, `plain_agents` are the two
simplest published ones. `reconstruction` builds scenes out of `outlines`; on them, `rules` has agents by rules, `proposals`
has shots worth a try, and `imaginer` tries them."""

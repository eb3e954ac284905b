"""Agents that play Phy-Q: `perception` tells kinds by their colours, `plain_agents` are the two simplest published ones."""

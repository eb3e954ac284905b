"""Agents that solve puzzles: PHYRE tasks, and in `phyq` those of Phy-Q.

Read `contract` (what an agent is and may know) and `experience` (the simulated actions it learns from). Then, each built on
the one before: `resnet` (also under networks of Phy-Q), `scorers` (networks that score actions), `strategies` (the agents:
RAND, OPTIMAL, MEM, DQN, OBJECT-SEARCH) and `benchmark` (trains and evaluates them).
"""

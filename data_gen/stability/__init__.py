"""How well-posed predictive and counterfactual questions are: the share of noisy re-simulations with the same answer.

Read `noise` (how imprecisely a state is measured), `resimulation` (the questions of one set) and `job` (a whole split).
"""

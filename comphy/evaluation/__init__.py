"""Measures: how well questions are answered (`qa/`), objects perceived (`perception/`), puzzles solved (`puzzles/`).

Read `intervals` (Wilson score intervals) and `paired` (Wilcoxon, McNemar, bootstrap) first. `laws` fits laws of motion to
rollouts; `plot_style` is shared by all plots.
"""

"""The world of PHYRE.

Read `constants`, `shapes` and `scene` (a puzzle as data), `actions` (where balls may be placed), `physics` and `task_world`
(a scene in the engine, whose runs end early by the `energy_bound`), then `simulator`, which tries actions and returns a
`simulation`; `recording` watches a run step by step. `observations` has what agents see, and `placement` explains why balls
may not stand somewhere.
"""

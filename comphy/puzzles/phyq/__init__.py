"""Phy-Q: shoot birds at pigs. 75 templates of levels in 15 physical scenarios.

Read `world` (levels, physics and the game), `templates` (the published levels and their variations), `tasks`, `pictures`
and `benchmark` (what agents see and do, and a Gymnasium environment);
`level_xml` reads and writes the level files of Science Birds, the game that Phy-Q was published with.
"""

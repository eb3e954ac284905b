"""The fifty templates of PHYRE, one per file: 25 for one ball (`ball`), 25 for two (`two_balls`).

Read `scene_builder` (the interface that templates use), `parts` (shared scene elements) and `template` (the data model);
`overlaps` rejects scenes in which bodies initially overlap.
"""

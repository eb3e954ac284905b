"""The fifty templates of PHYRE, one in a file: 25 for one ball (`ball`), 25 for two (`two_balls`).

Read `scene_builder` (what templates are written with), `parts` (what several of them share) and `template` (what a template
is); `overlaps` rejects scenes in which bodies start inside each other.
"""

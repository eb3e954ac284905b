"""Makes PHYRE's task lists.

Read `search` and `hill_climbing` (they find solutions), `selection` (which candidates become tasks, by the `difficulty` of
the published ones), `build` (does so for all templates), `certify` (proves a list in the engine) and `repair` (finds other
solutions where one does not hold). `diversity` plots how alike solutions are; `verdict_agreement` proves early verdicts.
"""

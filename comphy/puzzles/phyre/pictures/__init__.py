"""PHYRE for people: `drawing` of scenes, an `attempt` step by step, its `film`, and a `sheet` of all templates."""

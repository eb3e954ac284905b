"""The one physics core: bodies and forces in, rollouts and contacts out."""

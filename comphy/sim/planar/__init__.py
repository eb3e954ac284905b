"""Worlds in a vertical plane, for the puzzle benchmarks. Read `sleep` (which resting bodies are left out of the work),
`planar_world` (what both kinds share), then `repeated_planar_world` (PHYRE) and `dynamic_planar_world` (Phy-Q)."""

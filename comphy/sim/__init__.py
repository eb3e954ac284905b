"""The physics core: bodies and forces in, rollouts and contacts out.

Read `shapes` and `body` (what is simulated), `simulated_world` (the base of all worlds) and `world` (bodies in, `rollout`
out, with the help of `watch` and `contacts`). `bullet` is the engine, which nothing else touches. `planar` has the worlds
of the puzzle benchmarks. `tabletop` says how a ComPhy video becomes a world, and `recording` keeps a video together with
its rollout.
"""

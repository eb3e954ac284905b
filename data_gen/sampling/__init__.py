"""Rejection sampling of scenes, with bounded retries and a counted reason for each rejection.

Read `rules`, `looks` (objects), `motion` and `placement` (free motion in closed form), `target` and `reference`
(proposals), and the `sampler`, which simulates each proposal and accepts or rejects it.
"""

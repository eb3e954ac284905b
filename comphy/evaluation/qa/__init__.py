"""Scores of answers: `accuracy` (the paper's columns), `stability` (stable and chaotic options apart, ceilings),
`calibration/` (whether confident answers are right as often as they claim),
`concepts` (what objects are taken to be), `leaderboard` (several systems, compared pair by pair),
`bias_audit` (those of them that are shown a single cue), their tables and plots.

Read `accuracy` first; `tables` and `plots` only show what it counts."""

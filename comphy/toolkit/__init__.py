"""Whole jobs that need the packages above `comphy` as well: what `import comphy` offers (`api`), and what the larger
commands do once their options are known (`asking`, `evaluation`, `leaderboard`, `shortcuts`, `stress`, `torture`,
`previewing`, `demo`, `explorer`).

These modules name `data_gen` and `models` freely. Others import them inside functions only, at first use."""

"""Proves that the toolkit is robust: seeded trials that damage, kill, race and mislead it. Read `outcome` (what a trial
ends in), `run` (many trials), then the kinds: `mutations` (with `damaging` and `materials`), `packs`, `programs` (with
`scenes`), and those of whole processes, `kills`, `races` and `full_disk` (with `children` and `workloads`)."""

"""Proves that the toolkit is robust: seeded trials that damage, kill, race and mislead it. Read `trial_result` (what a trial
ends in), `tally` (what many ended in), `run`, then the kinds: `mutations` (with `damaging` and `materials`), `packs`,
`programs` (with `scenes`), `requests`, and those of whole `processes`."""

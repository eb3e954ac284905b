"""Stateless "make set i" jobs. Read `worker` (one set), `folder` (what is done), `local` (processes of this machine; Ray
is in `comphy.cluster`), `ask` (questions), `generate` (the whole), and `redraw` (makes sets again and compares)."""

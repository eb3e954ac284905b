"""Stateless "make set i" jobs. Read `worker` (one set), `folder` (what is done), `presence` (several processes in one
folder), `local` (processes of this machine; Ray is in `comphy.cluster`), `ask` (questions), `generate` (the whole), and
`redraw` (makes sets again and compares; videos in `repaint`, questions in `reask`)."""

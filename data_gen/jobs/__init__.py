"""Stateless "make set i" jobs. Read `worker` (one set), `folder` (what is done), `folder_lock` (several processes in one
folder), `local` (processes of this machine; Ray is in `comphy.cluster`), `ask` (questions), `generate` (the whole), and
`redraw` (makes sets again and compares; videos in `rendering_check`, questions in `reask`)."""

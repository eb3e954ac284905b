"""Trials of whole processes. Read `children` (a command in a process of its own), `workloads` (which commands), then the
kinds: `kills`, `races` and `full_disk`."""

"""The explorer: datasets, answers and puzzles in the browser.

`library` opens sources, `catalogue` sums up their sets for the grid, `asked` their questions, `sets` tells all of one set.
`asking/` answers questions, `worlds/` simulates changed worlds, `runs/` compares what models answered; `workers` are the
processes that they work in. `grid` and `routes` offer it all to the `page`, and `puzzles/` PHYRE and Phy-Q; `serving/`
serves it to this machine alone. `opening` is what commands call. `export/` writes the same pages as files, which need no
server."""

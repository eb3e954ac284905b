"""The explorer: datasets, answers and puzzles in the browser.

`library` opens sources, `catalogue` sums up their sets for the grid, `asked` their questions, `sets` tells all of one set.
`asking` answers questions, `what_if` simulates changed worlds, `runs` compares what models answered. `routes` offers these to the `page`, and `puzzles` those of PHYRE; `guards` and `server` serve them to this machine alone.
`opening` is what the commands call."""

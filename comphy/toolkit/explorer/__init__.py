"""The explorer: datasets, answers and puzzles in the browser.

`library` opens sources, `catalogue` sums up their sets for the grid, `asked` their questions, `sets` tells all of one set;
`routes` offers these to the `page`, and `puzzles` those of PHYRE; `guards` and `server` serve them to this machine alone.
`opening` is what the commands call."""

"""The tasks of the benchmark, one file for each tier; `comphy.puzzles.phyre.tasks` reads them."""

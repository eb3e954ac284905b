"""The tasks of the benchmark, one file for each tier; `comphy.puzzles.phyre.benchmark.tasks` reads them."""

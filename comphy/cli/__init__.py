"""The command `comphy`: one module for each subcommand, assembled by `app`.

Only this folder, `comphy.toolkit` and the lazy names of `comphy/__init__.py` name the packages above `comphy` (`data_gen`,
`models`), and only inside functions, at first use: importing a command's module costs no engine, so that `--help` and
completion are quick. `comphy.toolkit` and `benchmarks` hold what the larger commands do and are imported in the same way.

Read `app`, then `options` and `choices` (what commands share), then any command."""

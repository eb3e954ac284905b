"""The world of PHYRE. Read `constants`, `shapes` and `scene` (a puzzle as data), `actions` (where balls may go), `physics`
and `task_world` (a scene in the engine, judged with the help of `energy_bound`), then `simulator`, which tries actions and
returns a `simulation` with what `observation` and `features` make of it. `closeness` and `placement` explain failures;
`agreement` proves that early verdicts are those of whole runs."""

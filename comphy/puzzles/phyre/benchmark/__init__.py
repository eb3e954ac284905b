"""The benchmark: certified `tasks`, `folds`, the `evaluator` and its AUCCESS, a `cache` of simulated actions, simulators by
task id (`api`), tasks for people (`puzzle`), and a Gymnasium `environment`."""

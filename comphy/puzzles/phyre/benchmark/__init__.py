"""The benchmark: certified `tasks`, `folds`, the `evaluator` and its metric AUCCESS, a `cache` of simulated actions,
simulators by task id (`api`), tasks for human players (`puzzle`), and a Gymnasium `environment`."""

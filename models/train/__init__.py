"""What all trainings share: the run they belong to, checkpoints, logs, and the table of tasks."""

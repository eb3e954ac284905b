"""Trains and evaluates agents: their `config`, `preparing` (an agent by its name, trained or told what it may know),
`attempt_runner` (simulates its attempts), `playing` (one task after the other, scored by the benchmark's `Evaluator`), and
the whole `evaluation`."""

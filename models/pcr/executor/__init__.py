"""The differentiable program executor: runs typed programs on probabilities, many questions in one batch, so that the
loss of answers has a gradient with respect to everything perceived.

Read `soft_scene` (what programs can ask about), `soft_logic`, `view` and `operators/` (one function per operator), then
`compiled` and `schedule` (many programs as one batch), `run`, `answers` (distributions and losses) and `trace` (every step
of one program)."""

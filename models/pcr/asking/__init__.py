"""Answers questions about a set of videos, and explains the answers.

`sets` perceives a set, `interpreted_set` holds what the reasoner infers from it; `reading` parses English into a `question`;
`asking` answers it with the help of `presuppositions`, `predicted_motion` (futures and counterfactuals), `words` and
`sentences`; the `reply` is shown by `terminal` and filmed by `filming`."""

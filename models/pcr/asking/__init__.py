"""Answers one question about one set of videos, and explains the answer.

`sets` perceives a set, `interpreted_set` holds what the reasoner makes of it; `reading` parses a question into a `question`;
`asking` answers it with the help of `presuppositions`, `imagining` (futures and counterfactuals), `words` and `sentences`;
the `reply` is shown by `terminal` and `clip` (with `drawing`)."""

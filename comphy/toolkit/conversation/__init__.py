"""`comphy ask` without a question: a conversation about a set.

`conversation` answers lines, questions and commands alike; `completion` finds what a line may go on with; `prompt` reads
lines from a terminal, with history and tab, or from a pipe."""

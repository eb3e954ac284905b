"""What every model knows of questions: `tokens` of their words and the `question_types` with their answers."""

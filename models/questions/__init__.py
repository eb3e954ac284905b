"""What every model knows of questions: `tokens` of their words, `padding` of batches, and the
`question_types` with their answers."""

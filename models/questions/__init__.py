"""What all models share that read questions: `tokens` (vocabulary), `padding` of batches, and `question_types` (which
answers are possible)."""

"""What all models share that read questions: `tokens` (vocabulary) and `question_types` (which answers are possible)."""

"""Training of the reasoner: its `config`, the `stages` of the curriculum, the `trainer` that runs and resumes them, and the
`task` that comphy train starts."""

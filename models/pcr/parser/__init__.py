"""The semantic parser: translates English questions and choices into well-typed programs.

Read `words` (how a sentence becomes words, and what is said of one that is not understood), `sentences` (kinds of
sentences and the types of their programs), `automaton` (which token may come next), `transformer` and `network`,
`decoding`, and `parser`, which puts them together behind the `interface` that the `llm` has too. `training` comes last.
"""

"""A large language model as the parser, in context (section 5.4 of the paper), behind the interface of the trained one.

Read `settings` (how a model is named), `prompt` with prompt.yaml and `examples` (what it is told), `parser` (the parser
itself), and the two ways to a program: `local_model` decodes with `transformers` under the automaton of `program_text`,
by `token_texts` and `constraint`; `dialogue` asks an OpenAI-compatible endpoint (models/llm), checks what `replies` say, and
asks again.
"""

"""What everything that talks to a large language model shares, parsers of questions and baselines alike.

Read `names` (hf:FOLDER, http://host/v1#MODEL), `messages` (what is said and shown), `templates` (texts with slots, in YAML
files that users may copy and change), `endpoint` with `replies` (an OpenAI-compatible server), and `local` (models of
`transformers`) with their `chat_format`.
"""

"""Large vision-language models, zero-shot: frames of the videos and the question in, a reply in words out.

Read `config`; `prompts` with prompts.yaml (what is said and shown, and in which order) and `few_shot`; `frames`; the models
behind one interface (`model`: `transformers` in `local_model`, or the endpoint of models/llm); `reply_log` (every reply is
kept), `asking`, `parsing` (replies as answers, strictly and loosely), `report`, and `task`, which does all of it in order.
"""

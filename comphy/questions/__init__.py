"""The question engine: from the facts of a set to its questions. It reads no files; `comphy.dataset` does.

Read `model` (a question as data), `askable` (what is known of a set), `looks` (referring expressions), `slots` and
`templates` (with templates.yaml), `factual` and `choices` (candidates of both kinds), `evidence` and `soundness` (which
candidates may be asked), `balance` (answer balancing over a split) and the `engine`. Other wordings are in
`comphy.language`.
"""

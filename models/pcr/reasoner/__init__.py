"""The Physical Concept Reasoner as a whole: its `settings`, the `reasoner` (observed sets to soft scenes), its `imagination`
(futures and counterfactuals), `fitting` of states of motion, `refining` of hidden properties, `question_batches`,
`answering`, `recalibration` of its confidence, and the `checkpoint`."""

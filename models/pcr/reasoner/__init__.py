"""The Physical Concept Reasoner as a whole: `settings`, the `reasoner` (observed sets to soft scenes), its `imagination`
(futures and counterfactuals), `question_batches`, `answering`, and the `checkpoint`."""

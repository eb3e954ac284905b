"""Hidden properties: `message_passing` (graphs of videos), the `inferencer` (a graph network over relative motion), the
`paper_inferencer` it is compared with (Eq. 2), CPL's `property_learner`, `refinement`, which scores property hypotheses by
how well the motion predicted under them fits the recorded motion, and `charge_likelihood`, which scores charges by fitted
motion."""

"""Hidden properties: `message_passing` (graphs of videos), the `inferencer` (a graph network over relative motion), the
`paper_inferencer` it is compared with (Eq. 2), and `refinement`, which scores property hypotheses by how well the motion
predicted under them fits the recorded motion."""

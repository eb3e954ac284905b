"""The Physical Concept Reasoner (PCR): answers questions about sets of videos, with hidden mass and charge inferred.

The way of a set: `tracks` turns perceived boxes into motion on the ground plane; `grounding` reads attributes and events
off it; `properties` infers mass and charge from the target and its references; `dynamics` predicts motion under these
properties; the `reasoner` puts all of it into one soft scene, with imagined futures and counterfactuals.
The way of a question: `parser` turns a sentence into a typed program, and the `executor` runs the program on the soft
scene, differentiably, so that answers train everything before it.

Read in this order: tracks, executor (`soft_scene` first), grounding, dynamics, properties, reasoner. On top stand
`parser`, `asking` (one question, with an explanation), `evaluation` (the only room that looks at labels) and `training`
(the curriculum). A room imports only rooms before it in this list.
"""

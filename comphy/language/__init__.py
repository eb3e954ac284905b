"""Plain English for programs, in many words and sentence frames, for training and for trying parsers.

Read `meanings/` (what a question means, with its program), `options` (the split into training and held-out alternatives),
`lexicon` (words.yaml and frames.yaml), `choosing`, `noun_phrases`, `tenses`, `slots`, `sentences` (meanings to English),
`absence` (that there is none), `noise` (contractions and typing errors) and `rewording` (a dataset's questions in other
words).
"""

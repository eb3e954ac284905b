"""CPL and CPL-DPI (Chen et al., ICLR 2022), the rivals that are told labels: colours, shapes, materials, masses and charges
of the training sets. Read `labels`, `curriculum` (what is learned from them, and in which order) and `task`.

What they learn with are modules of models/pcr: the property learner in properties/property_learner.py, the graph network in
dynamics/paper_predictor.py. Tracks, parser and symbolic executor are PCR's own.
"""

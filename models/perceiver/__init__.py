"""From pixels to objects: detect them in every frame, track them through each video, align them across a set.

Each of these imports only what stands before it (tests/models/perceiver/test_layers.py checks it):

1. `detection/`: the detector, Faster R-CNN, and its interface
2. `tracking/`: tracklets, their association, alignment of references with the target
3. the modules here: `truth` (boxes of a dataset), `perceived` (what comes out), `perceive` (the whole pipeline),
   `representation` (features for reasoning) and `evaluation`
4. `cache/`: perceived sets on disk
5. `training/`: trains the detector
"""

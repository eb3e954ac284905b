"""Training of the detector: `augmentation` of frames, the `trainer`, `pictures` of detections, and the `task` that
tools/train.py runs."""

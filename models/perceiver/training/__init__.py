"""Training of the detector: `distortions` of pictures and the `augmentation` of frames by them, the `trainer`, `pictures` of
detections, and the `task` that comphy train runs."""

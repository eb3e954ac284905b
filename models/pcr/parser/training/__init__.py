"""Training of the parser: `data`, its `augmentation` and `batches`, the `trainer`, `calibration` of the confidence
threshold, and `scoring`."""

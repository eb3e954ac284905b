"""How the parser learns: `data`, its `augmentation` and `batches`, the `trainer`, `calibration` of what it calls
understood, and `scoring`."""

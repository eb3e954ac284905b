"""The detector: its `contract`, the `network` and `boxes`, `appearance_losses`, the batched `detector`, its `checkpoint`,
and the `detectron2_adapter`."""

"""The detector, in order of reading: its interface (`contract`), `boxes`, the `network`, `appearance_losses`, the box
`refiner`, the `detector` itself, its `checkpoint`, and the `detectron2_adapter`."""

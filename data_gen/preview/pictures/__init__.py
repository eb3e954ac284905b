"""What previews draw, in reading order: `labels` of objects, the `overlay` of boxes, arrows and labels over a frame, the
`timeline`, the `top_view`, and of these the `sheet` and the `clip`; `write` makes the files."""

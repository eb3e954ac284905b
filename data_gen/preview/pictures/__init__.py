"""What previews draw: the `canvas`, boxes and labels (`overlay`), the `timeline`, the `top_view`, and of these the `sheet`
and the `clip`."""

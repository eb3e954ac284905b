"""The `blender` renderer: the half that runs here, and the `worker` that runs inside Blender."""

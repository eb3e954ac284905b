"""The `raytrace` renderer. Read `scene` and `table` (clips as tensors), `shapes`, `lights` and `shading` (elementwise), the
`kernels` that are compiled, `tile_culling` (what must be traced), and the `renderer`."""

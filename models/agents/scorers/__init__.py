"""Networks that score actions. Read `scorer` (the contract), `dqn_network` (pixels), `parts` and `object_network` (objects),
then `examples` and `training`."""

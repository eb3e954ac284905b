"""Networks that score actions. Read `scorer` (the contract, and ensembles), `dqn_network` (a ResNet-18 on pixels), `parts`
and `object_network` (a transformer on the parts of objects), then `examples` and `training`."""

"""Imports what the commands of trials need, for the server that they are forked from."""

from importlib import import_module

for _name in (
    "torch",
    "torch._dynamo",
    "torchvision",
    "comphy.cli.app",
    "comphy.cli.generate",
    "comphy.cli.perceive",
    "comphy.cli.train",
    "comphy.sim.bullet",
    "data_gen.frames",
    "data_gen.jobs.generate",
    "data_gen.phyre.build",
    "models.baselines.tasks",
    "models.perceiver.detection.building",
    "models.perceiver.perceive",
    "models.tasks",
):
    import_module(_name)

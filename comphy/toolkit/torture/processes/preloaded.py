"""Imports what the commands of trials need, for the server that they are forked from."""

from importlib import import_module

for _name in (
    "av.subtitles.codeccontext",
    "comphy.cli.app",
    "comphy.cli.generate",
    "comphy.cli.perceive",
    "comphy.cli.train",
    "comphy.evaluation.qa.tables",
    "comphy.progress",
    "comphy.sim.bullet",
    "data_gen.frames",
    "data_gen.jobs.generate",
    "data_gen.phyre.build",
    "models.baselines.tasks",
    "models.perceiver.cache.fill",
    "models.perceiver.detection.building",
    "models.tasks",
    "omegaconf.grammar_parser",
    "pybullet",
    "pydantic.json_schema",
    "pydantic.type_adapter",
    "rich.table",
    "scipy.ndimage",
    "torch._dynamo",
    "torch.utils.tensorboard",
    "torchvision",
):
    import_module(_name)
import_module("comphy.puzzles.phyre.templates.template").all_templates()

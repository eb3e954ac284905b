"""Physical reasoning from video: physics, scenes, datasets, questions; no learning and no drawing.

The names below are all that most users need. Each is imported when it is first used, so that `import comphy` is quick and
needs no engine. Those that make datasets or run networks come from the packages above this one, `data_gen` and `models`;
only here, in `comphy.cli` and in `comphy.toolkit` does `comphy` name them.

    import comphy
    dataset = comphy.generate("out/comphy", sets=3)
    print(comphy.ask(comphy.load_reasoner(), dataset[0], "How many objects are heavy?").sentence)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from comphy.dataset.dataset import Dataset, open_dataset
    from comphy.errors import ComphyError
    from comphy.programs.executor import execute
    from comphy.programs.program import parse
    from comphy.sim.body import Body, Surface
    from comphy.sim.rollout import Rollout
    from comphy.sim.shapes import Box, Compound, ConvexPolygon, Cylinder, HalfSpace, Sphere
    from comphy.sim.world import World
    from comphy.toolkit.api import ask, generate, load_reasoner
    from models.torch_dataset import TorchDataset

__version__ = "0.2.0"

_HOMES: Final = {
    # Physics: bodies and forces in, motion out.
    "World": "comphy.sim.world",
    "Body": "comphy.sim.body",
    "Surface": "comphy.sim.body",
    "Sphere": "comphy.sim.shapes",
    "Box": "comphy.sim.shapes",
    "Cylinder": "comphy.sim.shapes",
    "ConvexPolygon": "comphy.sim.shapes",
    "HalfSpace": "comphy.sim.shapes",
    "Compound": "comphy.sim.shapes",
    "Rollout": "comphy.sim.rollout",
    # Datasets: make, open, read.
    "generate": "comphy.toolkit.api",
    "open_dataset": "comphy.dataset.dataset",
    "Dataset": "comphy.dataset.dataset",
    "TorchDataset": "models.torch_dataset",
    # Questions: programs on exact facts, or a trained reasoner on videos.
    "parse": "comphy.programs.program",
    "execute": "comphy.programs.executor",
    "load_reasoner": "comphy.toolkit.api",
    "ask": "comphy.toolkit.api",
    "ComphyError": "comphy.errors",
}

__all__ = [
    "Body",
    "Box",
    "ComphyError",
    "Compound",
    "ConvexPolygon",
    "Cylinder",
    "Dataset",
    "HalfSpace",
    "Rollout",
    "Sphere",
    "Surface",
    "TorchDataset",
    "World",
    "__version__",
    "ask",
    "execute",
    "generate",
    "load_reasoner",
    "open_dataset",
    "parse",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'comphy' has no attribute '{name}'")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)

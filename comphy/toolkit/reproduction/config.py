"""What is reproduced: the settings of configs/reproduce/*.yaml, and all that follows from them."""

from dataclasses import dataclass, field
from typing import Any, Final

from comphy.config import to_plain
from comphy.dataset import layout
from comphy.errors import ConfigError
from comphy.resources import find_config
from data_gen.config import load_plan
from models.tasks import load_task

FEWEST_SETS: Final = 6  # of which four are train, one val and one test


@dataclass(frozen=True)
class Part:
    """A step's own config, by path or name, and changes to it as its command takes them."""

    config: str
    overrides: tuple[str, ...] = ()


@dataclass(frozen=True)
class StillsPart:
    """Frames of train sets that Blender draws, for the perceiver to learn its look from; without `videos` there are none."""

    videos: int = 600
    frames: int = 4  # of each video
    width: int = 240  # pixels, the perceiver's

    def __post_init__(self) -> None:
        if self.videos < 0 or self.frames < 1:
            raise ValueError(
                f"expected videos of at least 0 and frames of at least 1 (got {self.videos}, {self.frames})"
            )


@dataclass(frozen=True)
class ReproduceConfig:
    """`seeds` are those of parser and reasoner, which are trained once for each. `parser` has a config of its own: it needs
    nothing that was perceived, and can be trained while the perceiver is."""

    sets: int = 3000
    seeds: tuple[int, ...] = (0, 1, 2)
    data_seed: int = 0
    data: Part = field(default_factory=lambda: Part("data/comphy"))
    stills: StillsPart = field(default_factory=StillsPart)
    perceiver: Part = field(default_factory=lambda: Part("perceiver/small"))
    parser: Part = field(default_factory=lambda: Part("pcr/parser"))
    reasoner: Part = field(default_factory=lambda: Part("pcr/comphy"))

    def __post_init__(self) -> None:
        if self.sets < FEWEST_SETS:
            raise ValueError(f"expected at least {FEWEST_SETS} sets, so that no split is empty (got {self.sets})")
        if not self.seeds or len(set(self.seeds)) < len(self.seeds) or min(self.seeds) < 0:
            raise ValueError(f"expected seeds of at least 0, each once (got {list(self.seeds)})")
        if misplaced := [one for one in self.reasoner.overrides if one.startswith("parser.")]:
            raise ValueError(
                f"expected changes to the parser in parser.overrides, since it is trained in a step of its own (got "
                f"{', '.join(misplaced)} in reasoner.overrides)"
            )

    def sets_of(self, split: str) -> int:
        return sum(layout.split_of(index) == split for index in range(self.sets))


def settings_of(config: ReproduceConfig) -> dict[str, Any]:
    """Everything that decides what is measured, as plain data: the config, and the configs of the steps in full.

    Raises:
        ConfigError: a step's config cannot be used, or is of another task.
    """
    data = load_plan(find_config(config.data.config, ("data",)), config.data.overrides).dataset()
    data.scene.check()
    return {
        "sets": config.sets,
        "seeds": list(config.seeds),
        "data_seed": config.data_seed,
        "data": to_plain(data),
        "stills": to_plain(config.stills),
        "perceiver": _task_settings(config.perceiver, "perceiver"),
        "parser": _task_settings(config.parser, "parser", "pcr"),
        "reasoner": _task_settings(config.reasoner, "pcr"),
    }


def _task_settings(part: Part, task: str, folder: str | None = None) -> dict[str, Any]:
    _, settings = load_task(find_config(part.config, (folder or task,)), part.overrides)
    if settings.task != task:
        raise ConfigError(f"{part.config}: expected a config of the task '{task}' (got '{settings.task}').")
    return to_plain(settings)

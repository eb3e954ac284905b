"""The steps that are commands, in their order, and the files that they leave."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from comphy.choices import Frames, RendererName, Split, SplitOrAll
from comphy.toolkit.reproduction.config import Part, ReproduceConfig

AUTO: Final = "auto"
STILLS: Final = "stills"  # the step that needs Blender


@dataclass(frozen=True)
class Places:
    """What lies where in the folder of a reproduction."""

    out: Path

    @property
    def data(self) -> Path:
        return self.out / "data"

    @property
    def stills(self) -> Path:
        return self.out / "stills"

    @property
    def perceiver(self) -> Path:
        return self.out / "perceiver"

    @property
    def features(self) -> Path:
        return self.out / "features"

    @property
    def choice(self) -> Path:
        return self.out / "choice.json"

    @property
    def weights(self) -> Path:
        return self.out / "weights" / "pcr"

    @property
    def tables(self) -> Path:
        return self.out / "tables.md"

    def parser(self, seed: int) -> Path:
        return self.out / f"parser_{seed}"

    def run(self, seed: int) -> Path:
        """Of the reasoner with this seed, with a copy of its parser."""
        return self.out / f"seed_{seed}"

    def log(self, step: str) -> Path:
        """What a step said that ran beside others."""
        return self.out / "logs" / f"{step}.log"

    def report(self, split: str, seed: int) -> Path:
        return self.out / "reports" / f"{split}_seed_{seed}.json"


@dataclass(frozen=True)
class Step:
    """A command: `arguments` are those of `comphy`."""

    name: str
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """`workers` and `device` decide how fast a step is, and nothing that the tables report but rounding errors."""

    config: ReproduceConfig
    places: Places
    workers: int = 1
    device: str = AUTO

    def data(self) -> Iterator[Step]:
        """The dataset, and stills of it."""
        config, places = self.config, self.places
        sizes = ("--sets", str(config.sets), "--seed", str(config.data_seed), "--workers", str(self.workers))
        drawn = ("--render", RendererName.NONE.value)
        yield Step("generate", ("generate", *_words(config.data), "--out", str(places.data), *sizes, *drawn))
        stills = config.stills
        if stills.videos:
            chosen = ("--videos", str(stills.videos), "--frames", str(stills.frames), "--width", str(stills.width))
            where = ("stills", str(places.data), "--out", str(places.stills))
            yield Step(STILLS, (*where, *chosen, "--workers", str(self.workers)))

    def perception(self) -> Iterator[Step]:
        """The perceiver, and what it perceives."""
        config, places = self.config, self.places
        looks = (f"stills.folder={places.stills}",) if config.stills.videos else ()
        yield Step("train_perceiver", self._train(config.perceiver, looks, places.perceiver, ("device",)))
        perceived = ("perceive", str(places.perceiver), str(places.data), "--out", str(places.features))
        looked_at = ("--split", SplitOrAll.ALL.value, "--frames", Frames.RAYTRACE.value)
        how = ("--device", self.device, "--workers", str(self.workers))
        yield Step("perceive", (*perceived, *looked_at, *how))

    def parsers(self) -> Iterator[Step]:
        """A parser for each seed. None needs what was perceived."""
        for seed in self.config.seeds:
            train = self._train(
                self.config.parser, (f"parser.seed={seed}",), self.places.parser(seed), ("parser.device",)
            )
            yield Step(f"train_parser_seed_{seed}", train)

    def training(self) -> Iterator[Step]:
        """A reasoner for each seed."""
        config, places = self.config, self.places
        for seed in config.seeds:
            own = (f"cache={places.features}", f"seed={seed}", f"parser.weights={places.parser(seed)}")
            yield Step(f"train_seed_{seed}", self._train(config.reasoner, own, places.run(seed), ("device",)))

    def evaluation(self, split: Split) -> Iterator[Step]:
        """Of every seed on a split."""
        places = self.places
        for seed in self.config.seeds:
            asked = ("evaluate", str(places.run(seed)), str(places.data), "--split", split.value)
            where = ("--cache", str(places.features), "--device", self.device)
            report = ("--json", str(places.report(split, seed)))
            yield Step(f"evaluate_{split}_seed_{seed}", (*asked, *where, *report))

    def _train(self, part: Part, more: tuple[str, ...], out: Path, devices: tuple[str, ...]) -> tuple[str, ...]:
        """The configs choose the device themselves unless one is named."""
        chosen = () if self.device == AUTO else tuple(f"{key}={self.device}" for key in devices)
        return ("train", *_words(part), *more, *chosen, "--data", str(self.places.data), "--out", str(out))


def _words(part: Part) -> tuple[str, ...]:
    return (part.config, *part.overrides)

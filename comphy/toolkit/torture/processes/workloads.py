"""Commands that are killed, raced and starved of disk, small enough to be run many times."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

from comphy.toolkit.torture.processes.children import Job

SMALL_PICTURES: Final = ("picture.width=96", "picture.height=64", "raytrace.samples=1", "raytrace.shadows=false")
_CANDIDATES: Final = 4  # of a PHYRE template
_TEMPLATE: Final = "00011"


@dataclass(frozen=True)
class Command:
    """A `comphy` command. `{out}` in its words stands for the folder that it writes."""

    words: tuple[str, ...]

    def __call__(self, out: Path) -> None:
        from comphy.cli.app import app

        app([word.replace("{out}", str(out)) for word in self.words], prog_name="comphy")


@dataclass(frozen=True)
class PhyreBuild:
    """`comphy phyre build` of one template, which ends after a few candidates."""

    candidates: int = _CANDIDATES

    def __call__(self, out: Path) -> None:
        from comphy.puzzles.phyre.templates.template import find_template
        from data_gen.phyre.build import go_on, read_trials, records_file
        from data_gen.phyre.search import EFFORT

        template = find_template(_TEMPLATE)
        effort = EFFORT[template.tier]
        out.mkdir(parents=True, exist_ok=True)
        known = len(read_trials(records_file(out, template), template, effort))
        for _ in islice(go_on(template, out, effort), self.candidates - known + 1):
            pass


@dataclass(frozen=True)
class Workload:
    """A job, and which of its files must be the same after any disturbance; all but those that record times."""

    name: str
    job: Job
    volatile: Sequence[str] = field(default_factory=tuple)

    def files(self, out: Path) -> dict[str, bytes]:
        """The content of files by name."""
        return {
            path.relative_to(out).as_posix(): path.read_bytes()
            for path in sorted(out.rglob("*"))
            if path.is_file() and not any(path.match(pattern) for pattern in self.volatile)
        }


def generation(sets: int = 2, shard: str | None = None, on_ray: bool = False) -> Workload:
    words = ["generate", "comphy", "--out", "{out}", "--sets", str(sets), "--render", "none"]
    words += (["--shard", shard] if shard else []) + (["--ray", "local"] if on_ray else [])
    return Workload("generate", Command(tuple(words)))


def generation_with_frames() -> Workload:
    words = ("generate", "comphy", *SMALL_PICTURES, "--out", "{out}", "--sets", "1")
    return Workload("generate with frames", Command(words))


def training(data: Path) -> Workload:
    words = ("train", "blind_lstm", "epochs=3", "batch_size=8", "model.hidden=8", "--data", str(data), "--out", "{out}")
    return Workload("train", Command(words), ("tensorboard/*", "metrics*", "*.log"))


def perceiving(run: Path, data: Path) -> Workload:
    words = (
        "perceive",
        str(run),
        str(data),
        "--out",
        "{out}",
        "--frames",
        "videos",
        "--device",
        "cpu",
        "--batch",
        "65",
    )
    return Workload("perceive", Command(words))


def phyre_building() -> Workload:
    return Workload("phyre build", PhyreBuild())


def differences(expected: dict[str, bytes], found: dict[str, bytes]) -> tuple[list[str], list[str]]:
    """Files that are missing, and files that are different or too many."""
    lost = sorted(expected.keys() - found.keys())
    different = sorted(name for name in found if found[name] != expected.get(name))
    return lost, different

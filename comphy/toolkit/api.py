"""What `import comphy` offers that needs the packages above it: `generate`, `load_reasoner`, `ask`."""

from collections.abc import Sequence
from pathlib import Path

from comphy.choices import CameraChoice, RendererName
from comphy.dataset.dataset import Dataset, DatasetSet, open_dataset
from comphy.errors import ConfigError, did_you_mean
from comphy.resources import find_config
from comphy.toolkit.asking import SetPlace, TrainedReasoner, answer
from data_gen.config import load_plan
from data_gen.jobs.generate import generate as generate_sets
from data_gen.jobs.worker import Job
from models.pcr.asking.reply import Reply


def generate(
    out: str | Path,
    sets: int | None = None,
    seed: int = 0,
    render: str = "raytrace",
    workers: int = 1,
    config: str | Path = "comphy",
    overrides: Sequence[str] = (),
) -> Dataset:
    """Make a dataset of video sets and questions, or go on with one that was begun.

    Args:
        out: folder of the dataset.
        sets: how many, each a target and four reference videos; by default as the config says, 10 for `comphy`.
        seed: the same seed gives the same dataset.
        render: raytrace, blender, or none for trajectories and questions without videos.
        workers: processes; a script that uses more than one needs `if __name__ == "__main__":`.
        config: a YAML file, or the name of a config that ships with the toolkit.
        overrides: changes to it, such as `scene.max_objects=4`.

    Returns:
        The finished dataset.

    Raises:
        ConfigError: for a config that cannot be used, or a folder that holds another dataset."""
    plan = load_plan(find_config(config, ("data",)), overrides)
    job = Job(Path(out), seed, RendererName(render), plan.dataset())
    generate_sets(job, plan.sets if sets is None else sets, workers)
    return open_dataset(out)


def load_reasoner(run: str | Path = "pcr", device: str = "auto", parser: str | Path | None = None) -> TrainedReasoner:
    """Load a trained Physical Concept Reasoner with its perceiver and parser.

    Args:
        run: folder of a training run, or the name of weights that ship with the toolkit.
        device: where videos are looked at: auto, cpu or cuda.
        parser: what reads questions instead of the run's own parser: another run, or a language model as `hf:FOLDER`,
            `http://host/v1#MODEL` or a YAML file of its settings.

    Returns:
        What `ask` takes.

    Raises:
        ComphyError: if there are no such weights, or they are of another version."""
    return TrainedReasoner.load(run, parser=parser, device=device)


def ask(
    reasoner: TrainedReasoner,
    videos: DatasetSet | str,
    question: str,
    choices: Sequence[str] = (),
    camera: str = "auto",
) -> Reply:
    """Ask a question about a set of videos.

    Args:
        reasoner: what `load_reasoner` gives.
        videos: a set of a dataset, or where it is: `out/comphy:12`.
        question: in English.
        choices: statements to judge, where the question is what will or would happen.
        camera: what filmed the videos: published, given (in camera.json), estimated from the tracked objects, or auto,
            which is given where there is the file, else estimated for one's own videos and published for benchmarks.

    Returns:
        The reply: `reply.sentence` in words, `reply.sure` from 0 to 1, and every step that led to it. What was seen of the
        set is kept for further questions.

    Raises:
        ProgramError: for a question that the parser does not understand.
        DatasetError: if the set does not exist, or has no camera.json although the camera is to be given.
        ConfigError: for an unknown camera."""
    place = SetPlace.parse(videos) if isinstance(videos, str) else SetPlace(videos.dataset.root, videos.index)
    if camera not in set(CameraChoice):
        raise ConfigError(f"unknown camera '{camera}'; {did_you_mean(camera, set(CameraChoice))}")
    return answer(reasoner, place, reasoner.read(question, choices), camera=CameraChoice(camera))[1]

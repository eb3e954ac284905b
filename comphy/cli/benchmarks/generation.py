"""What a dataset costs: sets, questions, memory."""

import resource
import tempfile
import time
from pathlib import Path

from comphy.cli.benchmarks.timing import best
from comphy.dataset.annotations.askable import read_askable
from comphy.dataset.layout import SPLITS
from comphy.dataset.questions import answers_path, read_questions
from comphy.dataset.writer import write_set
from comphy.programs.executor import execute
from comphy.programs.program import parse
from comphy.questions.model import Question, Tokens
from comphy.scene.camera import Camera
from comphy.sim.bullet import Engine
from data_gen.jobs.ask import ask_dataset
from data_gen.sampling.rules import SceneRules
from data_gen.sampling.sampler import SetSampler


def physics(sets: int = 30) -> dict[str, float]:
    """Sets per second on one core: physics, annotations, all counterfactual runs, written to disk; no frames."""
    camera = Camera()
    with Engine() as engine, tempfile.TemporaryDirectory() as folder:
        sampler = SetSampler(SceneRules(), 0, camera, engine)
        seconds = []
        for index in range(sets):
            start = time.process_time()
            write_set(Path(folder), sampler.draw(index), camera, None)
            seconds.append(time.process_time() - start)
    return {"sets": sets, "sets_per_cpu_second": sets / sum(seconds), "slowest_set_s": max(seconds)}


def questions(sets: int = 30) -> dict[str, float]:
    """Programs executed per second on one core, and what asking adds to the time of making sets without frames."""
    camera = Camera()
    with Engine() as engine, tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        sampler = SetSampler(SceneRules(), 0, camera, engine)
        start = time.process_time()
        for index in range(sets):
            write_set(root, sampler.draw(index), camera, None)
        made = time.process_time()
        ask_dataset(root, 0, range(sets), workers=1)
        asked = time.process_time()
        facts = {index: read_askable(root, index).facts for index in range(sets)}
        scenes = [scene for split in SPLITS for scene in read_questions(root / answers_path(split))]
    work = [
        (tokens, facts[scene.scene_index]) for scene in scenes for q in scene.questions for tokens in programs_of(q)
    ]
    seconds = best(lambda: [execute(parse(tokens), world) for tokens, world in work])
    parsed = [(parse(tokens), world) for tokens, world in work]
    return {
        "sets": sets,
        "programs": len(work),
        "parsed_and_executed_per_s": len(work) / seconds,
        "executed_per_s": len(work) / best(lambda: [execute(program, world) for program, world in parsed]),
        "asking_ms_per_set": 1e3 * (asked - made) / sets,
        "asking_share_of_making": (asked - made) / (made - start),
    }


def programs_of(question: Question) -> list[Tokens]:
    """The programs that answer a question: its own, or one for each choice."""
    return [(*choice.program, *question.program) for choice in question.choices] or [question.program]


def memory(sets: int = 200) -> dict[str, float]:
    """Resident memory of one worker after 20 sets and after `sets`, in MiB; flat means nothing leaks."""
    camera = Camera()
    with Engine() as engine, tempfile.TemporaryDirectory() as folder:
        sampler = SetSampler(SceneRules(), 0, camera, engine)
        marks = {}
        for index in range(sets):
            write_set(Path(folder), sampler.draw(index), camera, None)
            if index + 1 in (20, sets):
                marks[index + 1] = _resident_mib()
    return {
        "sets": sets,
        "after_20_mib": marks[20],
        "after_all_mib": marks[sets],
        "growth_mib": marks[sets] - marks[20],
    }


def _resident_mib() -> float:
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * resource.getpagesize() / 2**20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10

"""Makes sets again from their seed and compares: the proof that a dataset is what its recipe says.

Drawing a set again simulates its videos and all of its counterfactual runs afresh, so its questions are answered again
from that simulation too. Frames of its videos are rendered again (`rendering_check`).
"""

import json
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from comphy.choices import RendererName
from comphy.config import build, to_plain
from comphy.dataset import layout
from comphy.dataset.annotations.annotation import read_annotation
from comphy.dataset.annotations.extras import read_extras
from comphy.dataset.annotations.facts import facts_of
from comphy.dataset.checks.problem import Problem
from comphy.dataset.checks.questions import wrong_answers
from comphy.dataset.manifest import Manifest, current_versions
from comphy.dataset.metadata.card import card_text
from comphy.dataset.metadata.croissant import croissant_record
from comphy.dataset.questions import answers_path, read_questions
from comphy.dataset.writer import write_set
from comphy.errors import ComphyError, DatasetError, did_you_mean
from comphy.files import json_bytes
from comphy.questions.model import SceneQuestions
from comphy.scene.camera import Camera
from comphy.sim.bullet import Engine
from data_gen.config import DatasetConfig
from data_gen.jobs.reask import check_asking
from data_gen.jobs.rendering_check import RenderingCheck
from data_gen.sampling.sampler import SetSampler


@dataclass
class Redrawn:
    """How much was made, answered and rendered again. `unrendered` says why videos were not, where they could not be."""

    sets: int = 0
    choices: int = 0
    videos: int = 0
    unrendered: str = ""


def check_redraw(
    root: Path, count: int, redrawn: Redrawn | None = None, every_frame: bool = False
) -> Iterator[Problem]:
    """Draw `count` evenly spread sets again and hold them against the manifest, the questions and the videos; of these
    every 25th frame, or `every_frame`."""
    redrawn = redrawn if redrawn is not None else Redrawn()
    manifest = Manifest.read(root)
    config = build(DatasetConfig, manifest.recipe.config, str(root / layout.MANIFEST))
    indices = sorted(manifest.sets)
    chosen = indices[:: max(1, len(indices) // max(1, count))][:count]
    questions = {
        scene.scene_index: scene
        for split in {layout.split_of(index) for index in chosen}
        for scene in read_questions(root / answers_path(split))
    }
    yield from _check_descriptions(root, manifest, config)
    yield from check_asking(root, manifest, count, _reason(manifest))
    camera = config.camera()
    with ExitStack() as opened:
        engine = opened.enter_context(Engine())
        folder = opened.enter_context(tempfile.TemporaryDirectory(prefix="comphy-redraw-"))
        check = _rendering_check(manifest, config, redrawn, every_frame)
        if check is not None:
            opened.enter_context(check)
        sampler = SetSampler(config.scene, manifest.recipe.seed, camera, engine)
        for index in chosen:
            recorded = sampler.draw(index)
            again = write_set(Path(folder), recorded, camera, None)
            redrawn.sets += 1
            changed = [name for name, entry in again.items() if manifest.sets[index].files.get(name) != entry]
            if changed:
                yield Problem(
                    f"set {index}", f"drawn again from the seed it differs in {', '.join(changed)}; {_reason(manifest)}"
                )
            if index in questions:
                yield from _answer_again(Path(folder), questions[index], redrawn)
            if check is not None:
                redrawn.videos += len(recorded.clips())
                yield from check.check(root, recorded)
        if check is not None:
            yield from check.check_bytes()


def _check_descriptions(root: Path, manifest: Manifest, config: DatasetConfig) -> Iterator[Problem]:
    """The manifest's config, the card and the machine-readable description, written again; another version of the toolkit
    words them otherwise."""
    if manifest.versions.get("comphy") != current_versions(manifest.recipe.renderer)["comphy"]:
        return
    if json.loads(json_bytes(to_plain(config))) != manifest.recipe.config:
        yield Problem(str(root / layout.MANIFEST), f"its config, written again, differs; {_reason(manifest)}")
    card = card_text(manifest.recipe, len(manifest.sets)).encode()
    for name, content in (
        (layout.CARD, card),
        (layout.CROISSANT, json_bytes(croissant_record(manifest.recipe), indent=1)),
    ):
        if not (root / name).is_file() or (root / name).read_bytes() != content:
            yield Problem(str(root / name), f"written again from the recipe it differs; {_reason(manifest)}")


def _rendering_check(
    manifest: Manifest, config: DatasetConfig, redrawn: Redrawn, every_frame: bool
) -> RenderingCheck | None:
    """None where there are no videos, or where this machine lacks what drew them: their hashes were compared anyway."""
    name = manifest.recipe.renderer
    if name not in set(RendererName):
        raise DatasetError(f"{layout.MANIFEST}: unknown renderer '{name}'; {did_you_mean(name, set(RendererName))}")
    if RendererName(name) is RendererName.NONE:
        return None
    try:
        return RenderingCheck(RendererName(name), config, every_frame)
    except ComphyError as error:
        redrawn.unrendered = str(error)
        return None


def _answer_again(folder: Path, scene: SceneQuestions, redrawn: Redrawn) -> Iterator[Problem]:
    """Recompute all answers from the freshly simulated set."""
    index = scene.scene_index
    target = read_annotation(folder / layout.target_annotation(index))
    facts = facts_of(target, Camera(), read_extras(folder / layout.extras(index)).counterfactuals)
    for question in scene.questions:
        redrawn.choices += len(question.choices)
        try:
            wrong = list(wrong_answers(question, facts))
        except ComphyError as error:
            wrong = [str(error)]
        for problem in wrong:
            yield Problem(f"set {index}", f"question {question.question_id}, simulated afresh: {problem}")


def _reason(manifest: Manifest) -> str:
    now = current_versions(manifest.recipe.renderer)
    other = [
        f"{name} {then} then, {now.get(name)} now" for name, then in manifest.versions.items() if now.get(name) != then
    ]
    return (
        f"versions differ: {'; '.join(other)}"
        if other
        else "the versions are the same, so the files or the code changed"
    )

"""Questions in other people's files: renumbered sets, and of CLEVRER only what can be asked there."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from comphy.choices import ExportAs
from comphy.dataset.question_fields import CORRECT, WRONG
from comphy.dataset.questions import scene_record
from comphy.files import json_bytes
from comphy.programs.ops import OPS, Group
from comphy.questions.model import Choice, Question, QuestionKind, SceneQuestions

_KEPT_BACK: Final = "test"  # split whose answers no release has
_CLEVRER_TYPES: Final = {QuestionKind.FACTUAL: "descriptive", QuestionKind.PREDICTIVE: "predictive"}


def exported_questions(
    scenes: Iterable[SceneQuestions], names: Mapping[int, tuple[int, str]], chosen: ExportAs, left_out: Counter[str]
) -> list[SceneQuestions]:
    """Questions about the sets in `names`, which gives each set's number and video file in the export. What is left out is
    counted by reason."""
    found = []
    for scene in scenes:
        if scene.scene_index in names:
            number, video = names[scene.scene_index]
            reasons = [_reason(question, chosen) for question in scene.questions]
            left_out.update(filter(None, reasons))
            kept = (one for one, reason in zip(scene.questions, reasons, strict=True) if not reason)
            found.append(replace(scene, scene_index=number, video_filename=video, questions=tuple(kept)))
    return sorted(found, key=lambda scene: scene.scene_index)


def _reason(question: Question, chosen: ExportAs) -> str:
    """Why a question cannot be asked in a layout; empty if it can."""
    if chosen is not ExportAs.CLEVRER:
        return ""
    if question.kind is QuestionKind.COUNTERFACTUAL:
        return "counterfactual: CLEVRER asks what happens without an object, ours what happens with another property"
    groups = {OPS[token].group for token in question.program if token in OPS}
    return "about mass or charge, which CLEVRER does not have" if Group.HIDDEN in groups else ""


def question_bytes(scenes: list[SceneQuestions], split: str, chosen: ExportAs) -> bytes:
    """The file of a split; test questions without answers."""
    shown = [scene.without_answers() for scene in scenes] if split == _KEPT_BACK else scenes
    return json_bytes([_record(scene, chosen) for scene in shown])


def _record(scene: SceneQuestions, chosen: ExportAs) -> dict[str, Any]:
    record = scene_record(scene)
    if chosen is ExportAs.COMPHY_A:
        return record
    change = _clevrer if chosen is ExportAs.CLEVRER else _internal
    return record | {"questions": [change(one, question) for one, question in _both(record, scene)]}


def _both(record: dict[str, Any], scene: SceneQuestions) -> Iterable[tuple[dict[str, Any], Question]]:
    return zip(record["questions"], scene.questions, strict=True)


def _clevrer(record: dict[str, Any], question: Question) -> dict[str, Any]:
    return record | {"question_type": _CLEVRER_TYPES[question.kind]}


def _internal(record: dict[str, Any], question: Question) -> dict[str, Any]:
    """`question_program`, and lists of right and wrong choices where the answers are known."""
    changed = {("question_program" if key == "program" else key): value for key, value in record.items()}
    if any(choice.correct is None for choice in question.choices) or question.kind is QuestionKind.FACTUAL:
        return changed
    del changed["choices"]
    return changed | {
        CORRECT: [_pair(choice) for choice in question.choices if choice.correct],
        WRONG: [_pair(choice) for choice in question.choices if not choice.correct],
    }


def _pair(choice: Choice) -> list[Any]:
    return [choice.text, list(choice.program)]

"""A trained reasoner on disk: its weights, with its settings, recalibrations and the vocabulary it was trained with in the
header."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor

from comphy.config import build, to_plain, under_present_names
from comphy.damage import reading
from comphy.errors import DatasetError
from comphy.evaluation.qa.calibration.calibration import Recalibration
from comphy.programs.ops import OPS
from comphy.programs.types import LITERALS
from comphy.questions.model import QuestionKind
from comphy.resources import REASONER
from models.pcr.executor.answers import ANSWER_WORDS
from models.pcr.reasoner.reasoner import Reasoner
from models.pcr.reasoner.recalibration import Recalibrations
from models.pcr.reasoner.settings import ReasonerSettings
from models.train.checkpoint import load_tensors, load_weights, save_tensors

MODEL: Final = REASONER
FEATURES: Final = "features"  # folder in a run's: the feature cache that it was trained with, if it made one
_RECALIBRATIONS: Final = "recalibrations"
# Tensors of checkpoints that were made before they had the field's names. Settings: `ReasonerSettings.RENAMED`.
_RENAMED_TENSORS: Final[Mapping[str, str]] = {
    "trust": "refinement_scale",
    "doubt": "refinement_bias",
    "grounder.spread": "grounder.whitening",
    "dynamics.bounce": "dynamics.restitution",
    "dynamics.log_grip": "dynamics.log_friction_radius",
}


def vocabulary() -> dict[str, list[str]]:
    """The operators, words and answers that the rows of a checkpoint's tensors stand for."""
    return {"operators": sorted(OPS), "words": sorted(LITERALS), "answers": list(ANSWER_WORDS)}


def save_reasoner(path: Path, reasoner: Reasoner) -> None:
    """Write a reasoner's weights, settings, recalibrations and vocabulary.

    Args:
        path: of the file.
        reasoner: what to write."""
    facts = {"settings": to_plain(reasoner.settings), "vocabulary": vocabulary()}
    save_tensors(path, reasoner.state_dict(), facts | _recalibration_facts(reasoner.recalibrations))


def save_recalibrations(run: Path, recalibrations: Recalibrations, fitted_with: ReasonerSettings) -> None:
    """Write recalibrations into the reasoner of a run's folder; nothing else changes.

    Args:
        run: folder of the run.
        recalibrations: by kind of question.
        fitted_with: settings of the reasoner that they were fitted to; those of posterior samples are kept as well."""
    path = run / MODEL
    weights, facts = load_tensors(path)
    settings = {**_stored_settings(facts), **_of_samples(fitted_with)}
    save_tensors(path, weights, facts | {"settings": settings} | _recalibration_facts(recalibrations))


def _stored_settings(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Those of a checkpoint. One that tells of no samples is from before them, and its recalibrations are for none."""
    return {"posterior_samples": 0, **under_present_names(ReasonerSettings, facts["settings"])}


def _of_samples(settings: ReasonerSettings) -> dict[str, float]:
    return {"posterior_samples": settings.posterior_samples, "posterior_spread": settings.posterior_spread}


def load_reasoner(
    run: Path,
    device: torch.device | str = "cpu",
    without: Sequence[str] = (),
    posterior_samples: int | None = None,
    posterior_spread: float | None = None,
) -> Reasoner:
    """Load a reasoner, ready to answer. Checkpoints with the names of earlier versions load as well.

    Args:
        run: folder of a run, or its weights file.
        device: where it computes.
        without: parts to switch off, by their names in `ReasonerSettings`.
        posterior_samples: stand in for its own number of them.
        posterior_spread: stands in for its own.

    Returns:
        The reasoner.

    Raises:
        DatasetError: if there are no such weights, or they are of another vocabulary.
        ConfigError: for an unknown part."""
    path = run / MODEL if run.is_dir() else run
    weights, facts = load_tensors(path)
    with reading(path):
        _require_vocabulary(facts, path)
        settings = build(ReasonerSettings, _stored_settings(facts), str(path))
        recalibrations = _read_recalibrations(facts, path)
    if posterior_samples is not None:
        settings = replace(settings, posterior_samples=posterior_samples)
    if posterior_spread is not None:
        settings = replace(settings, posterior_spread=posterior_spread)
    reasoner = Reasoner(settings.without(without))
    load_weights(reasoner, _named_anew(weights), path)
    reasoner.recalibrations = recalibrations
    return reasoner.to(device).eval()


def is_reasoner(path: Path) -> bool:
    """Tell whether a folder holds the weights of a reasoner.

    Args:
        path: any folder.

    Returns:
        Whether it does."""
    return (path / MODEL).is_file()


def _named_anew(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {_RENAMED_TENSORS.get(name, name): tensor for name, tensor in weights.items()}


def _recalibration_facts(recalibrations: Recalibrations) -> dict[str, Any]:
    return {_RECALIBRATIONS: {str(kind): to_plain(how) for kind, how in recalibrations.items()}}


def _read_recalibrations(facts: Mapping[str, Any], path: Path) -> dict[QuestionKind, Recalibration]:
    """Those of a checkpoint; there are none in those of earlier versions."""
    found = facts.get(_RECALIBRATIONS, {})
    return {QuestionKind(kind): build(Recalibration, values, str(path)) for kind, values in found.items()}


def _require_vocabulary(facts: dict[str, Any], path: Path) -> None:
    found, expected = facts.get("vocabulary"), vocabulary()
    if found is None or "settings" not in facts:
        raise DatasetError(
            f"{path}: expected the weights of a reasoner (found others). Give the run of a PCR training."
        )
    if found != expected:
        part = next(name for name in expected if found.get(name) != expected[name])
        other = sorted(set(found.get(part, ())) ^ set(expected[part]))
        raise DatasetError(
            f"{path}: the checkpoint was trained with another vocabulary: its {part} differ in "
            f"{', '.join(other[:5]) or 'their order'}. Use the version of the toolkit it was trained with, or train anew."
        )

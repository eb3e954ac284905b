"""The weights that come with the toolkit: they fit the code, and answer about a video."""

import json
from functools import partial
from pathlib import Path

import pytest
import torch

import models
from comphy.dataset.sources.opening import open_source
from comphy.errors import ProgramError
from comphy.scene.vocabulary import HEAVY_MASS
from data_gen.frames import open_frames
from models.pcr.asking.asking import ask
from models.pcr.asking.interpreted_set import interpret_set
from models.pcr.asking.reading import read_question
from models.pcr.asking.sets import SetPerceiver, SetPlace
from models.pcr.dynamics.predictor import Dynamics
from models.pcr.evaluation.true_laws import true_laws
from models.pcr.parser.opening import open_parser
from models.pcr.reasoner.checkpoint import load_reasoner
from tests.support.commands import comphy
from tests.support.quick_start import CACHE

WEIGHTS = Path(models.__file__).parent / "weights" / "pcr"


@pytest.mark.parametrize("name", ["pcr", "pcr_full"])
def test_every_file_is_small_enough_to_be_kept_with_the_code(name: str):
    files = [path for path in WEIGHTS.with_name(name).rglob("*") if path.is_file()]
    assert {path.suffix for path in files} >= {".md", ".yaml", ".json", ".safetensors"}
    assert all(path.stat().st_size <= 16 * 2**20 for path in files)


@pytest.mark.parametrize("name", ["pcr", "pcr_full"])
def test_laws_were_learned(name: str):
    """From recorded motion alone; within a tenth of what the simulator has."""
    dynamics = load_reasoner(WEIGHTS.with_name(name)).dynamics
    assert isinstance(dynamics, Dynamics)
    learned, true = dynamics.constants(), true_laws(5).constants()
    for constant in ("mass ratio", "half width", "drag", "force of charges at distance 1"):
        torch.testing.assert_close(learned[constant], true[constant], rtol=0.1, atol=0)


@pytest.mark.bullet
@pytest.mark.slow
def test_the_parser_reads_every_question_of_a_dataset(small_dataset: Path, tmp_path: Path):
    arguments = (WEIGHTS / "parser", small_dataset, "--split", "train", "--json", tmp_path / "scores.json")
    result = comphy("evaluate", *arguments)
    assert result.returncode == 0, result.stderr
    scores = json.loads((tmp_path / "scores.json").read_text())["as they are"]
    assert scores and all(kind["exact"]["accuracy"] == 1.0 for kind in scores.values())


@pytest.mark.parametrize(
    ("question", "program"),
    [
        ("Is anything made of metal?", "objects metal filter_material exist"),
        ("How many cubes can you see?", "objects cube filter_shape count"),
        (
            "Does the yellow cube weigh more than the cyan one?",
            "objects yellow filter_color cube filter_shape unique filter_mass "
            "objects cyan filter_color unique filter_mass is_heavier",
        ),
        ("What shape is the heavy object?", "objects filter_heavy unique query_shape"),
    ],
)
def test_plain_english_is_read(question: str, program: str):
    assert str(read_question(open_parser(WEIGHTS, None), question).program) == program


@pytest.mark.parametrize(
    "question",
    [
        "Why is the moon made of cheese and jam?",
        "Who won?",
        "What time is it?",
        "How are you?",
        "Can you see a banana?",
        "Why did the red cube stop?",
        "What would happen if the cylinder was twice as big?",
    ],
)
def test_nonsense_is_refused_with_questions_to_choose_from(question: str):
    with pytest.raises(ProgramError, match=r"I did not understand .* Did you mean: [A-Z].*\?"):
        read_question(open_parser(WEIGHTS, None), question)


@pytest.mark.slow
@pytest.mark.bullet
def test_a_question_about_pixels_is_answered(quick_started: Path, monkeypatch: pytest.MonkeyPatch):
    """One object of this set is heavy. Detection, tracking, alignment, properties and language have to be right for it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(quick_started / CACHE))
    data = quick_started / "demo"
    heavy = [one.mass for one in open_source(data).annotation(0).target.objects].count(HEAVY_MASS)
    assert heavy == 1
    features = SetPerceiver(WEIGHTS, partial(open_frames, data), device="cpu").features(SetPlace(data, 0))
    known = interpret_set(load_reasoner(WEIGHTS), features, 0)
    reply = ask(known, read_question(open_parser(WEIGHTS, None), "How many objects are heavy?", []))
    assert reply.answers[0].words == "1"

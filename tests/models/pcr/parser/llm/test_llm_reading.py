"""A language model in a folder that was taught a few sentences reads them through the whole path: settings, prompt with
examples, constrained decoding, and the checks of the parser."""

import math
from pathlib import Path

import pytest
import yaml

from comphy.errors import ConfigError, ProgramError
from models.pcr.asking.reading import read_question
from models.pcr.parser.interface import QuestionParser
from models.pcr.parser.llm.examples import Examples
from models.pcr.parser.llm.prompt import Prompter, load_template
from models.pcr.parser.opening import open_parser
from models.pcr.parser.sentences import SentenceKind
from tests.support.made_once import made_once
from tests.support.tiny_language_model import byte_tokenizer, learn_by_heart, random_model

OPEN, CHOICE = "What will happen next?", "The cube collides with the sphere"
CUBE, SPHERE = "objects cube filter_shape unique", "objects sphere filter_shape unique"
TAUGHT = {
    "How many cubes are there?": "objects cube filter_shape count",
    "Is there a red sphere?": "objects red filter_color sphere filter_shape exist",
    "What color is the heavy thing?": "objects filter_heavy unique query_color",
    OPEN: "unseen_events belong_to",
    CHOICE: f"all_events {CUBE} filter_collision {SPHERE} filter_collision unique",
}
SHORT = {"system": "Write programs.", "sentence": "{text}", "program": "=", "retry": "{error}"}


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The settings of a model that knows the sentences by heart."""

    def make(folder: Path) -> None:
        folder.mkdir()
        (folder / "short.yaml").write_text(yaml.safe_dump(SHORT))
        named = {"model": f"hf:{folder / 'model'}", "template": str(folder / "short.yaml"), "examples": 0}
        (folder / "parser.yaml").write_text(yaml.safe_dump(named))
        prompter = Prompter(load_template(folder / "short.yaml"), Examples(()), 0)
        pairs = {prompter.prompt(text, tuple(SentenceKind)).plain(): f" {program}" for text, program in TAUGHT.items()}
        tokenizer = byte_tokenizer([*pairs, *pairs.values()], 400)
        model = random_model(tokenizer, seed=0, width=48, spread=0.05)
        learn_by_heart(model, tokenizer, pairs, steps=60)
        model.save_pretrained(folder / "model")
        tokenizer.save_pretrained(folder / "model")

    return made_once(tmp_path_factory, "taught_language_model", make) / "parser.yaml"


@pytest.fixture(scope="module")
def parser(settings: Path, tmp_path_factory: pytest.TempPathFactory) -> QuestionParser:
    return open_parser(tmp_path_factory.mktemp("run"), settings)


def test_what_it_was_taught_is_read_rightly_and_surely(parser: QuestionParser):
    questions = [text for text in TAUGHT if text not in (OPEN, CHOICE)]
    for parsed in parser.parse_questions(questions, SentenceKind.FACTUAL):
        assert " ".join(parsed.tokens) == TAUGHT[parsed.text] and parsed.understood
        assert math.log(0.8) < parsed.log_probability < 0
        assert parser.explain(parsed) is None


@pytest.mark.slow
def test_the_kind_of_a_question_is_found_by_which_program_is_likelier(parser: QuestionParser):
    query = read_question(parser, OPEN, [CHOICE])
    assert query.is_open and str(query.program) == TAUGHT[OPEN] and query.certainty > 0.8
    assert str(query.options[0].program) == TAUGHT[CHOICE]
    assert not read_question(parser, "Is there a red sphere?").is_open


@pytest.mark.slow
def test_a_reading_with_other_colors_is_refused_with_others(parser: QuestionParser):
    """It knows no blue; some well-typed program comes out, which is not taken for what was asked."""
    parsed = parser.parse_question("Is there a blue sphere?")
    assert "blue" not in parsed.tokens and not parsed.understood
    with pytest.raises(ProgramError, match=r"the language model read it with other colors.* Did you mean: .*sphere"):
        read_question(parser, "Is there a blue sphere?")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("model: gpt", r"model: expected hf:FOLDER or http://host/v1#MODEL \(got 'gpt'\)"),
        ("modle: hf:x", r"modle: unknown key; did you mean 'model'"),
        ("{model: 'hf:x', tries: 0}", r"tries, attempts"),
        ("{model: 'hf:nowhere/at_all'}", r"nowhere/at_all: expected a causal language model .* Nothing is downloaded"),
        ("{model: 'http://host/v1#m', template: none.yaml}", r"none.yaml: expected a template for the prompt"),
    ],
)
def test_settings_that_cannot_be_used_are_explained(tmp_path: Path, text: str, message: str):
    (tmp_path / "parser.yaml").write_text(text)
    with pytest.raises(ConfigError, match=message):
        open_parser(tmp_path, tmp_path / "parser.yaml")


def test_a_folder_without_a_model_is_explained(tmp_path: Path):
    with pytest.raises(
        ConfigError, match=r"expected a causal language model with its tokenizer .*a folder without one"
    ):
        open_parser(tmp_path, f"hf:{tmp_path}")

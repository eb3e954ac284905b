"""What a language model is told: all of the op table, and examples that are near."""

from pathlib import Path

import pytest
import yaml

from comphy.errors import ConfigError
from comphy.programs.ops import OPS
from comphy.programs.types import LITERALS
from models.pcr.parser.interface import KINDS_OF_QUESTIONS
from models.pcr.parser.llm.examples import Examples, grammar_examples
from models.pcr.parser.llm.prompt import Prompter, load_template
from models.pcr.parser.sentences import Sentence, SentenceKind, read_program

FEW = 200  # of the grammar, which is quick


def test_every_operator_and_literal_is_explained():
    system = Prompter(load_template(), Examples([]), 0).prompt("What?", KINDS_OF_QUESTIONS).messages[0].content
    for op in OPS.values():
        assert f"- {op.name}: " in system and op.meaning in system
    assert all(word in system for word in LITERALS)
    assert "- multiple choice: the program begins with event on the stack and ends in yes/no." in system
    assert "{" not in system


def test_examples_are_of_the_kind_and_of_many_forms_the_nearest_last():
    pool = [
        Sentence(SentenceKind.FACTUAL, "How many red cubes are there?", ("objects", "count")),
        Sentence(SentenceKind.FACTUAL, "How many green balls are there?", ("objects", "count")),
        Sentence(SentenceKind.FACTUAL, "Is there a heavy object?", ("objects", "filter_heavy", "exist")),
        Sentence(SentenceKind.CHOICE, "How many blue cubes are there", ("start",)),
    ]
    found = Examples(pool).nearest("How many blue cubes are there?", (SentenceKind.FACTUAL,), 3)
    assert found == [pool[0], pool[2]], "the second has the form of the first"
    prompt = Prompter(load_template(), Examples(pool), 3).prompt(
        "How many blue cubes are there?", (SentenceKind.FACTUAL,)
    )
    assert [message.role for message in prompt.messages] == ["system", *("user", "assistant") * 2, "user"]
    assert prompt.messages[-2].content == "objects count"
    assert prompt.plain().endswith(
        "Sentence (factual): How many red cubes are there?\nProgram: objects count\n\n"
        "Sentence (factual): How many blue cubes are there?\nProgram:"
    )


def test_examples_of_the_grammar_are_true_and_always_the_same():
    first = grammar_examples(FEW).nearest("How many things bump into the tin?", KINDS_OF_QUESTIONS, 8)
    grammar_examples.cache_clear()
    again = grammar_examples(FEW).nearest("How many things bump into the tin?", KINDS_OF_QUESTIONS, 8)
    assert first == again and len(first) == 8
    assert all(one.kind in KINDS_OF_QUESTIONS and read_program(one.program, one.kind) for one in first)
    assert "filter_collision" in first[0].program


def test_a_template_can_be_changed(tmp_path: Path):
    texts = {"system": "S", "sentence": "<{text}>", "program": ">", "retry": "{error}"}
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(texts))
    prompt = Prompter(load_template(tmp_path / "own.yaml"), Examples([]), 0).prompt("Why {x}?", KINDS_OF_QUESTIONS)
    assert prompt.plain() == "S\n\n<Why {x}?>\n>"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"system": "{operator}"}, r"system: unknown slots operator; known: \{operators\}"),
        ({"sentence": "?"}, r"sentence: expected the slots text"),
        ({"retry": 3}, r"retry: expected str \(got 3\)"),
    ],
)
def test_a_template_with_mistakes_is_explained(tmp_path: Path, changed: dict[str, object], message: str):
    texts = {"system": "S", "sentence": "{text}", "program": ">", "retry": "{error}"} | changed
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(texts))
    with pytest.raises(ConfigError, match=message):
        load_template(tmp_path / "own.yaml")

"""Questions as the page asks them: what the truth says of each step, and which steps are the same."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from comphy.dataset.dataset import open_dataset
from comphy.errors import ConfigError
from comphy.resources import find_weights
from comphy.toolkit.explorer.asking.answerers import SIMULATOR
from comphy.toolkit.explorer.asking.asking import Asking, read_asked
from comphy.toolkit.explorer.asking.in_process import read_in_process
from comphy.toolkit.explorer.asking.steps import same as found_same
from comphy.toolkit.explorer.asking.steps import truth_steps
from comphy.toolkit.explorer.runs.runs import sort_runs
from models.pcr.asking.question import query_of_program

pytestmark = pytest.mark.bullet


def step(*items: str) -> dict[str, list[str]]:
    return {"items": list(items)}


def test_the_last_step_of_the_truth_is_the_answer(small_dataset: Path) -> None:
    for one in open_dataset(small_dataset):
        for question in one.questions:
            if question.answer is not None:
                told = truth_steps(query_of_program(" ".join(question.program)), one.facts)
                assert told[-1]["items"] == [question.answer]
                assert [step["number"] for step in told] == list(range(1, len(told) + 1))


def test_an_open_question_tells_what_happens(small_dataset: Path) -> None:
    one = open_dataset(small_dataset)[0]
    told = truth_steps(query_of_program("unseen_events belong_to"), one.facts)
    assert [step["call"] for step in told] == ["unseen_events"]
    assert len([item for item in told[0]["items"] if item != "none"]) == len(one.facts.unseen)


@pytest.mark.parametrize(
    ("model", "truth", "same"),
    [
        (["red metal cube"], ["red metal cube"], True),
        (["the red metal cube"], ["red metal cube"], True),
        (["red metal cube"], ["red metal cube", "blue rubber sphere"], False),
        (["a and b collide at frame 30"], ["the b and the a collide at frame 32"], True),
        (["a and b collide at frame 30"], ["the b and the a collide at frame 60"], False),
        (["frame 12"], ["frame 14"], True),
        (["heavy"], ["mass 5"], True),
        (["light"], ["mass 5"], False),
        ([], ["none"], True),
        (["2"], ["3"], False),
        (["heavy"], ["masses 1, 5"], None),
    ],
)
def test_steps_are_compared_by_what_they_say(model: list[str], truth: list[str], same: bool | None) -> None:
    assert found_same("filter", model, step(*truth)) is same


def test_where_a_program_begins_there_is_nothing_to_compare() -> None:
    assert found_same("objects", ["all 4 objects"], step("all 5 objects")) is None
    assert found_same("count", ["4"], None) is None


def test_what_is_asked_is_bounded() -> None:
    assert read_asked({"question": " What happens? "}) == ("What happens?", False)
    assert read_asked({"program": "objects count"}) == ("objects count", True)
    for words in ("", " ", "x" * 401):
        with pytest.raises(ConfigError, match="1 to 400 characters"):
            read_asked({"question": words})


def test_runs_are_asked_where_they_can_answer_and_compared_where_they_did(tmp_path: Path) -> None:
    both, baseline, answers = tmp_path / "pcr", tmp_path / "blind", tmp_path / "answers.json"
    for file in (
        both / "reasoner.safetensors",
        both / "submission_val.json",
        baseline / "submission_val.json",
        answers,
    ):
        file.parent.mkdir(exist_ok=True)
        file.touch()
    compared, reasoners = sort_runs([both, Path("pcr_full"), baseline, answers])
    assert compared == [both, baseline, answers]
    assert reasoners == [both, find_weights("pcr_full")]
    assert Asking(reasoners).names == ["pcr", "pcr_full", SIMULATOR]
    assert Asking().names == ["pcr", SIMULATOR]
    with pytest.raises(ConfigError, match="Known names: pcr, pcr_full"):
        sort_runs([Path("pcr_fool")])


def test_who_is_not_there_cannot_be_asked(small_dataset: Path) -> None:
    question = {"question": "What will happen next?", "by": "pcr_full"}

    async def lines() -> list[dict[str, Any]]:
        return [line async for line in Asking().answer(small_dataset, 1, question)]

    [told] = asyncio.run(lines())
    assert told["error"] == "expected one of pcr, the simulator alone as 'by' (got 'pcr_full')."


@pytest.mark.slow
def test_words_are_read_or_refused(small_dataset: Path) -> None:
    """With the parser that comes along."""
    read = read_in_process(Path("pcr"), small_dataset, 1, ("How many objects are there?", False))["read"]
    assert read["program"] == "objects count"
    assert read["steps"][-1]["items"] == [str(len(open_dataset(small_dataset)[1].annotation.target.objects))]
    refused = read_in_process(Path("pcr"), small_dataset, 1, ("Flurb the gnarf?", False))
    assert "did not understand" in refused["error"]

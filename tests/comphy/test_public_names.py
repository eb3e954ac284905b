"""What `import comphy` offers: light, documented, and working."""

import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest

import comphy
from comphy.programs.executor import answer_text

ENGINES = ("torch", "pybullet", "numpy", "scipy", "typer", "rich")


def test_importing_needs_no_engine() -> None:
    code = f"import comphy, json, sys; print(json.dumps([name for name in {ENGINES!r} if name in sys.modules]))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(found.stdout) == []


@pytest.mark.parametrize("name", sorted(set(comphy.__all__) - {"__version__"}))
def test_every_name_exists_and_is_documented(name: str) -> None:
    value = getattr(comphy, name)
    assert inspect.getdoc(value) and name in dir(comphy)
    if inspect.isfunction(value) and value.__module__.startswith(("comphy.cli", "comphy.dataset")):
        assert all(f"{argument}:" in str(value.__doc__) for argument in inspect.signature(value).parameters)


def test_what_does_not_exist_is_said() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Wrold'"):
        comphy.Wrold  # noqa: B018


@pytest.mark.bullet
def test_a_dataset_is_read_set_by_set(small_dataset: Path) -> None:
    dataset = comphy.open_dataset(small_dataset)
    assert len(dataset) == 4 and [one.index for one in dataset] == [0, 1, 2, 3] and 3 in dataset and 4 not in dataset
    one = dataset[1]
    assert one.split == "train" and len(one.annotation.references) == 4 and one.questions
    for question in one.questions:
        if question.answer is not None:
            value = comphy.execute(comphy.parse(question.program), one.facts)
            assert answer_text(value) == question.answer
        for choice in question.choices:
            assert comphy.execute(comphy.parse((*choice.program, *question.program)), one.facts) == choice.correct
    with pytest.raises(IndexError, match="0 to 3"):
        dataset[4]
    with pytest.raises(comphy.ComphyError, match="made without frames"):
        one.frames()
    with pytest.raises(comphy.ComphyError, match="one of the videos target"):
        one.frames("reference_4")


def test_what_is_no_dataset_is_refused(tmp_path: Path) -> None:
    with pytest.raises(comphy.ComphyError, match="comphy generate comphy --out"):
        comphy.open_dataset(tmp_path / "none")
    (tmp_path / "progress").mkdir()
    with pytest.raises(comphy.ComphyError, match="unfinished"):
        comphy.open_dataset(tmp_path)

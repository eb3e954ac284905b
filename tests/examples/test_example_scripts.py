"""The scripts of examples/ run as they are, and are short; so does the notebook."""

import json
import runpy
import sys
from pathlib import Path

import pytest

from tests.support.quick_start import CACHE

FOLDER = Path(__file__).parents[2] / "examples"
SCRIPTS = sorted(FOLDER.glob("*.py"))

pytestmark = pytest.mark.bullet


def run(name: str, *arguments: object, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
    runpy.run_path(str(FOLDER / name), run_name="__main__")
    return capsys.readouterr().out


def test_scripts_are_short() -> None:
    assert len(SCRIPTS) == 5
    assert all(len(script.read_text().splitlines()) <= 40 for script in SCRIPTS)


def test_simulate(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "they collide at step" in run("simulate.py", capsys=capsys, monkeypatch=monkeypatch)


def test_make_dataset(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    told = run("make_dataset.py", tmp_path / "d", capsys=capsys, monkeypatch=monkeypatch)
    assert "2 sets)" in told and "the program gives" in told


def test_solve_phyre(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "solved by attempt" in run("solve_phyre.py", capsys=capsys, monkeypatch=monkeypatch)


@pytest.mark.slow
def test_read_in_torch(six_rendered: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    told = run("read_in_torch.py", six_rendered, capsys=capsys, monkeypatch=monkeypatch)
    assert "videos (2, 125, 3, 64, 96) torch.float32" in told


@pytest.mark.slow
def test_ask(quick_started: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(quick_started / CACHE))
    told = run("ask.py", quick_started / "demo:0", capsys=capsys, monkeypatch=monkeypatch)
    assert "How many objects are heavy?" in told and "% sure)" in told


@pytest.mark.slow
def test_the_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = FOLDER / "tour.ipynb"
    assert notebook.stat().st_size < 1_500_000
    cells = json.loads(notebook.read_text())["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert any("image/png" in output.get("data", {}) for cell in cells for output in cell.get("outputs", []))
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for source in code:
        exec(compile(source, "tour.ipynb", "exec"), names)

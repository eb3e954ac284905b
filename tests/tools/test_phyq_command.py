"""`comphy phyq` as a user runs it."""

import re
import signal
import subprocess
from dataclasses import replace
from pathlib import Path
from urllib.request import urlopen

import pytest
from PIL import Image

from comphy.puzzles.phyq.level_xml import read_level
from comphy.puzzles.phyq.tasks.task import read_tasks, write_tasks
from comphy.puzzles.phyq.world.launch import Shot
from tests.support.commands import command, comphy
from tests.support.waiting import HANG_S

pytestmark = pytest.mark.bullet


def test_a_level_is_written_read_and_filmed(tmp_path: Path) -> None:
    written = comphy("phyq", "level", "12.4", "--seed", 3, "--out", tmp_path / "level.xml")
    assert written.returncode == 0, written.stderr
    assert len(read_level(tmp_path / "level.xml").birds) == 1
    filmed = comphy(
        "phyq", "gif", tmp_path / "level.xml", "--shot", "12", "--out", tmp_path / "film.gif", "--width", 300
    )
    assert filmed.returncode == 0, filmed.stderr
    with Image.open(tmp_path / "film.gif") as film:
        assert getattr(film, "n_frames", 1) > 20 and film.width == 300
    won = comphy("phyq", "gif", "1.5", "--shot", "18", "--out", tmp_path / "film.gif", "--width", 300)
    assert "won, 0 of 1 pigs left" in won.stdout


def test_a_solution_is_found_and_holds(tmp_path: Path) -> None:
    solved = comphy("phyq", "solve", "4.4", "--seed", 2)
    assert solved.returncode == 0, solved.stderr
    options = solved.stdout.split(" with ")[1].split()
    filmed = comphy("phyq", "gif", "4.4", "--seed", 2, *options, "--out", tmp_path / "film.gif", "--width", 200)
    assert "won, 0 of 1 pigs left" in filmed.stdout, filmed.stderr
    hopeless = comphy("phyq", "solve", "4.4", "--games", 1)
    assert hopeless.returncode == 1 and "expected a solution within 1 game " in hopeless.stderr


def test_tasks_are_chosen_proved_written_and_filmed(tmp_path: Path) -> None:
    chosen = ("--template", "1.5", "--tasks", 2, "--out", tmp_path / "tried", "--write", tmp_path / "list")
    built = comphy("phyq", "build", *chosen)
    assert built.returncode == 0, built.stderr
    assert "2 tasks of 1 templates" in built.stdout
    checked = comphy("phyq", "check", "--list", tmp_path / "list")
    assert checked.returncode == 0 and "2 tasks, 0 problems." in checked.stdout, checked.stdout + checked.stderr
    assert comphy("phyq", "write", tmp_path / "levels", "--list", tmp_path / "list").returncode == 0
    files = sorted(path.name for path in (tmp_path / "levels").iterdir())
    assert files == ["1_01_02_00001.xml", "1_01_02_00002.xml"]
    tasks = read_tasks(tmp_path / "list")
    assert read_level(tmp_path / "levels" / files[0]).birds == tasks["1.5:001"].level.birds
    first, second = tasks.values()
    write_tasks(tmp_path / "list", [replace(first, solution=(Shot.at(80.0),)), second])
    wrong = comphy("phyq", "check", "--list", tmp_path / "list")
    assert wrong.returncode == 1 and "1.5:001: its certified solution does not win" in wrong.stdout
    filmed = comphy("phyq", "gif", "1.5:001", "--out", tmp_path / "film.gif", "--width", 200)
    assert "won, 0 of 1 pigs left" in filmed.stdout, filmed.stderr


def test_a_row_of_the_sheet_is_drawn(tmp_path: Path) -> None:
    drawn = comphy("phyq", "sheet", "--scenario", 6, "--out", tmp_path / "sheet.png")
    assert drawn.returncode == 0, drawn.stderr
    assert "6 templates" in drawn.stdout
    with Image.open(tmp_path / "sheet.png") as picture:
        assert len(picture.getcolors(100000)) > 50


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gif", "16.1", "--shot", "20"), "Expected a template of Phy-Q (got '16.1')"),
        (("gif", "1.1", "--shot", "up"), "Expected a shot as degrees"),
        (("gif", "1.1", "--shot", "20,1,2,3,4"), "one to four numbers are needed"),
        (("gif", "1.1", "--shot", "20,1,-2"), "Expected times after the launch"),
        (("gif", "1.1", "--shot", "20", "--shot", "30"), "expected at most 1 shots"),
        (("level", "none.xml", "--seed", "1"), "Expected a template to vary"),
        (("level", "1.5:001", "--seed", "1"), "Expected a template to vary (got the task 1.5:001)"),
        (("gif", "1.5"), "Expected --shot, or a task with a certified solution"),
        (("gif", "1.5:1"), "Expected the id of a task such as '4.4:017'"),
        (("build", "--template", "9.9"), "Expected a template of Phy-Q (got '9.9')"),
        (("level", "none.xml"), "none.xml: expected a level of Science Birds"),
    ],
)
def test_mistakes_are_explained(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    wrong = comphy("phyq", *arguments, "--out", tmp_path / "out")
    assert wrong.returncode == 1
    assert message in wrong.stderr and "Traceback" not in wrong.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_the_player_is_served_until_ctrl_c(tmp_path: Path) -> None:
    """At a port that is free, and for another one at the same port there is an explanation."""
    options = ("phyq", "play", "--no-browser", "--rounds", tmp_path / "rounds", "--port")
    with subprocess.Popen(command(*options, 0), stdout=subprocess.PIPE, text=True) as player:
        assert player.stdout is not None
        opened = re.search(r"http://127\.0\.0\.1:(\d+)/phyq/", player.stdout.readline())
        assert opened is not None
        with urlopen(opened[0], timeout=HANG_S) as page:
            assert b'<canvas id="board"' in page.read()
        busy = comphy(*options, opened[1])
        player.send_signal(signal.SIGINT)
        assert player.wait(HANG_S) == 0
    assert busy.returncode == 1 and "cannot serve here" in busy.stderr and "--port" in busy.stderr
    assert not (tmp_path / "rounds").exists(), "nobody has played a round"

"""Level files, such as the published tasks, become tasks with certified solutions."""

from dataclasses import replace
from pathlib import Path

import pytest

from comphy.errors import DatasetError
from comphy.puzzles.phyq.level_xml import level_text, write_level
from comphy.puzzles.phyq.tasks.level_files import level_files, placement_in, read_task
from comphy.puzzles.phyq.tasks.task import load_tasks, read_tasks
from comphy.puzzles.phyq.templates.published import find_template
from comphy.puzzles.phyq.templates.variation import Placement, placed_level
from comphy.puzzles.phyq.world.catalog import Bird, Material
from comphy.puzzles.phyq.world.level import Block
from comphy.sim.bullet import Engine
from data_gen.phyq.certify import flaws
from tests.support.commands import comphy

pytestmark = pytest.mark.bullet
IDS = ("1.5:001", "1.5:002", "15.5:003")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """In folders of their own below it, as the published tasks are."""
    for task_id in IDS:
        task = load_tasks()[task_id]
        path = tmp_path / "levels" / task.template_id / task.file_name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_level(path, task.level)
    return tmp_path / "levels"


def test_every_tenth_task_is_read_back_from_its_file(tmp_path: Path) -> None:
    for task in list(load_tasks().values())[::70]:
        path = tmp_path / task.file_name
        write_level(path, task.level)
        assert read_task(path) == replace(task, solution=())


def test_files_become_certified_tasks(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "imported.json.gz"
    (folder / "notes.xml").write_text("not a level of a template")
    found = comphy("phyq", "import-levels", folder, "--out", out)
    assert found.returncode == 0 and "3 tasks of 3 files" in found.stdout, found.stdout + found.stderr
    tasks = read_tasks(out)
    assert {task.id: task.placement for task in tasks.values()} == {one: load_tasks()[one].placement for one in IDS}
    with Engine() as engine:
        assert [flaw for task in tasks.values() for flaw in flaws(task, engine)] == []
    known, other = tasks["1.5:001"], load_tasks()["1.5:003"]
    write_level(folder / other.file_name, replace(other.level, birds=(Bird.BLUE,)))
    again = comphy("phyq", "import-levels", folder, "--out", out)
    assert "expected the birds of 1.5, red" in " ".join(again.stdout.split()) and "3 tasks of 4 files" in again.stdout
    assert read_tasks(out)["1.5:001"] == known
    write_level(folder / known.file_name, replace(known.level, birds=(Bird.BLUE,)))
    (folder / known.template_id / known.file_name).unlink()
    assert comphy("phyq", "import-levels", folder, "--out", out).returncode == 0
    assert sorted(read_tasks(out)) == ["1.5:002", "15.5:003"]  # what its file does not have any more is left out
    played = comphy("phyq", "evaluate", "--agent", "pig_shooter", "--template", "1.5", "--plays", 1, "--list", out)
    assert played.returncode == 0 and "pig_shooter: 1/1" in played.stdout, played.stdout + played.stderr


def test_what_does_not_follow_its_template_is_left_out(tmp_path: Path) -> None:
    template = find_template("4.4")
    level = placed_level(template, Placement(0.25, 0.5, ()))
    assert placement_in(template, level, "here") == Placement(0.25, 0.5, ())
    floating = Block("Circle", Material.WOOD, 5.0, 2.0)
    with pytest.raises(DatasetError, match=r"here: expected further blocks .* upright on the ground"):
        placement_in(template, replace(level, things=(*level.things, floating)), "here")
    with pytest.raises(DatasetError, match=r"here: expected the assembly of template 4\.4"):
        placement_in(template, replace(level, things=level.things[1:]), "here")
    changed = find_template("8.3")
    with pytest.raises(DatasetError, match=r"differs from the published one: A plank"):
        placement_in(changed, changed.published, "here")


def test_wrong_folders_and_names_are_explained(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"expected level files named C_SS_TT_NNNNN\.xml"):
        level_files(tmp_path)
    result = comphy("phyq", "import-levels", tmp_path / "nowhere", "--out", tmp_path / "list")
    assert result.returncode == 1 and "comphy phyq write" in result.stderr and not (tmp_path / "list").exists()
    wrong = tmp_path / "9_09_09_00001.xml"
    wrong.write_text(level_text(find_template("1.5").level))
    with pytest.raises(DatasetError, match="expected a name such as"):
        read_task(wrong)

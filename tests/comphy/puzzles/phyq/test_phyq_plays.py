"""Stored plays: they are what the game does, the same whoever makes them, and they go on after a kill."""

import json
import signal
import subprocess
from pathlib import Path

import numpy as np
import pytest

from comphy.errors import DatasetError
from comphy.puzzles.phyq.benchmark.observing.scene import planes, scene_of, scene_of_level
from comphy.puzzles.phyq.benchmark.plain_shots import DEGREES, LOWEST_DEGREE
from comphy.puzzles.phyq.plays.play import NO_SHOT, level_after
from comphy.puzzles.phyq.plays.simulation import different_plays, simulate_plays
from comphy.puzzles.phyq.plays.store import MANIFEST, PlayStore
from comphy.puzzles.phyq.tasks.task import find_task
from comphy.puzzles.phyq.templates.published import load_templates
from comphy.puzzles.phyq.world.game import Game, Status
from comphy.puzzles.phyq.world.launch import Shot
from comphy.sim.bullet import Engine
from tests.support.commands import command, comphy
from tests.support.phyq_lists import write_first_tasks
from tests.support.waiting import wait_until

pytestmark = pytest.mark.bullet


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.plays")}


@pytest.mark.parametrize("task_id", ["2.4:001", "13.1:001", "15.2:001"])
def test_a_play_is_what_the_game_does_with_its_shots(task_id: str) -> None:
    task = find_task(task_id)
    with Engine() as engine:
        plays = simulate_plays(task, range(30, 36), engine)
        with Game(task.level, engine) as game:
            for play, between in enumerate(plays.first_states):
                game.restart()
                for shot in range(plays.shots[play]):
                    pigs, points = game.pigs_left, game.score
                    tap = plays.taps[play, shot]
                    degrees = float(LOWEST_DEGREE + int(plays.actions[play, shot]))
                    game.shoot(Shot.at(degrees, tap=None if np.isnan(tap) else float(tap)))
                    assert (plays.killed[play, shot], plays.points[play, shot]) == (
                        pigs - game.pigs_left,
                        game.score - points,
                    )
                    if game.status is Status.PLAYING:
                        left = level_after(task.level, shot + 1, plays.moved[between + shot])
                        assert (planes(scene_of_level(left)) == planes(scene_of(game))).mean() > 0.9999
                assert game.status is (Status.WON if plays.won[play] else Status.LOST)
    assert len(plays.moved) == (plays.shots - 1).sum()


def test_a_level_is_seen_as_the_game_that_begins_with_it() -> None:
    with Engine() as engine:
        for template in list(load_templates().values())[::6]:
            with Game(template.level, engine) as game:
                seen = [(one.kind, one.pixels, one.colors) for one in scene_of(game)]
            assert [(one.kind, one.pixels, one.colors) for one in scene_of_level(template.level)] == seen


@pytest.mark.slow
def test_the_first_plays_try_every_degree_and_those_of_one_bird_end_there(tmp_path: Path) -> None:
    task = find_task("1.5:001")
    assert different_plays(task.level) == DEGREES and different_plays(find_task("2.4:001").level) is None
    store = PlayStore(tmp_path)
    few = store.plays(task, 3)
    plays = store.plays(task, 1000)
    assert len(plays) == DEGREES and set(plays.actions[:, 0]) == set(range(DEGREES))
    assert 0 < plays.won.sum() < 30 and not len(plays.moved)
    assert (few.actions == plays.first(3).actions).all(), "more plays go on after those that were there"
    assert np.ptp(plays.actions[:6].astype(int)) > 90, "few of them are spread"
    assert (store.known(task).points == plays.points).all()


def test_several_birds_have_their_later_shots_drawn(tmp_path: Path) -> None:
    plays = PlayStore(tmp_path).plays(find_task("2.4:001"), 12)
    shots = plays.actions[plays.shots == 3]
    assert len(shots) > 6 and (shots != NO_SHOT).all() and len(set(shots[:, 1])) > 6
    assert len(plays.first(5)) == 5 and len(plays.first(5).moved) == (plays.shots[:5] - 1).sum()


@pytest.mark.slow
def test_plays_are_the_same_for_any_number_of_workers_and_after_a_kill(tmp_path: Path) -> None:
    tasks = write_first_tasks(tmp_path / "list", t8_1=8)
    chosen = ("phyq", "simulate", "--setup", "broad", "--template", "8.1", "--plays", 10, "--list", tasks)
    one = comphy(*chosen, "--out", tmp_path / "one")
    assert one.returncode == 0 and "80 plays of 8 tasks" in one.stdout, one.stderr
    killed = subprocess.Popen(command(*chosen, "--workers", 2, "--out", tmp_path / "two"), stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: killed.poll() is not None or len(contents(tmp_path / "two")) >= 2)
    finally:
        killed.send_signal(signal.SIGKILL)
        killed.wait()
    begun = contents(tmp_path / "two")
    assert len(begun) > 0
    assert comphy(*chosen, "--workers", 2, "--out", tmp_path / "two").returncode == 0
    assert contents(tmp_path / "two") == contents(tmp_path / "one")
    assert begun.items() <= contents(tmp_path / "one").items()


def test_plays_of_another_game_are_refused_and_damaged_ones_made_again(tmp_path: Path) -> None:
    task = find_task("1.5:001")
    store = PlayStore(tmp_path)
    expected = store.plays(task, 4)
    [file] = tmp_path.rglob("*.plays")
    whole = file.read_bytes()
    for damaged in (whole[:-5], b"", b"{}\n", whole.replace(b"1.5:001", b"1.5:002"), whole[:300] + b"x" + whole[301:]):
        file.write_bytes(damaged)
        assert (store.plays(task, 4).actions == expected.actions).all()
        assert file.read_bytes() == whole
    facts = json.loads((tmp_path / MANIFEST).read_text())
    (tmp_path / MANIFEST).write_text(json.dumps({**facts, "game": "another"}))
    with pytest.raises(DatasetError, match=r"expected results of .*got format 1, game another"):
        PlayStore(tmp_path)
    refused = comphy("phyq", "simulate", "--template", "1.5", "--plays", 1, "--out", tmp_path)
    assert refused.returncode == 1 and "Take another folder" in refused.stderr
    assert file.read_bytes() == whole

"""What the player's page asks the server for, and questions that make no sense."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

from comphy.errors import Busy
from comphy.puzzles.phyq.benchmark.contract import Agent, AgentKind, Choice, Simulate
from comphy.puzzles.phyq.benchmark.observing.symbolic import SymbolicState
from comphy.puzzles.phyq.player.game import PlayedGames
from comphy.puzzles.phyq.player.shots import power_begins
from comphy.puzzles.phyq.tasks.task import Task, find_task, plain_shot
from comphy.puzzles.phyq.world.launch import Shot, aimed_at
from comphy.toolkit.explorer.library import Library
from comphy.toolkit.explorer.routes import build_app
from comphy.toolkit.explorer.serving.guards import LONGEST_QUESTION
from comphy.toolkit.explorer.serving.server import Server
from tests.support.site import request
from tests.support.waiting import HANG_S

pytestmark = pytest.mark.bullet

EASY, YELLOW, TWO_BIRDS = "1.5:001", "15.1:001", "14.2:001"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(build_app(Library([]), rounds=tmp_path_factory.mktemp("rounds"))) as server:
        yield server


def ask(server: Server, name: str, **question: Any) -> tuple[int, dict[str, Any]]:
    answer = request(server, f"/phyq/api/{name}", "POST", json.dumps(question).encode())
    assert answer.headers["content-type"] == "application/json"
    return answer.status, answer.json


def rows(task: Task) -> list[list[float | None]]:
    return [plain_shot(shot) for shot in task.solution]


def test_the_page_is_the_skeleton_of_all_players(server: Server) -> None:
    page = request(server, "/phyq/")
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert page.content == request(server, "/phyre/").content
    assert request(server, "/phyq/main.js").content != request(server, "/phyre/main.js").content


def test_the_catalogue_has_all_scenarios_and_who_may_be_watched(server: Server) -> None:
    status, answer = ask(server, "catalogue")
    assert status == 200
    assert [one["name"] for one in answer["scenarios"]] == [str(number) for number in range(1, 16)]
    assert sum(len(one["templates"]) for one in answer["scenarios"]) == 75
    assert {"random", "pig_shooter", "bambirds", "eagles_wing", "datalab", "imaginer"} <= set(answer["agents"])
    assert [name for name, bird in answer["birds"].items() if not bird["power"]] == ["red"]


def test_a_task_says_all_the_page_shows(server: Server) -> None:
    status, answer = ask(server, "task", task=EASY)
    assert (status, answer["name"], answer["scenario"], answer["birds"]) == (200, "single force", 1, ["red"])
    assert [thing["kind"] for thing in answer["things"]].count("pig") == 1
    assert EASY in answer["tasks"] and all(one.startswith("1.5:") for one in answer["tasks"])
    view = answer["view"]
    for thing in answer["things"]:
        assert view["left"] < thing["x"] < view["right"] and view["bottom"] < thing["y"] < view["top"]


def test_a_good_shot_wins_and_a_bad_one_does_not(server: Server) -> None:
    status, won = ask(server, "play", task=EASY, shots=rows(find_task(EASY)))
    assert (status, won["status"], won["pigs_left"]) == (200, "won", 0)
    assert len(won["flyers"]) == 1 and len(won["deaths"]) >= 1
    status, lost = ask(server, "play", task=EASY, shots=[[80.0, 0.3, None, None]])
    assert (status, lost["status"], lost["pigs_left"]) == (200, "lost", 1)


def test_the_planner_gives_both_arcs(server: Server) -> None:
    status, answer = ask(server, "aim", x=2.0, y=-1.0, stretch=1.0)
    low, high = aimed_at((2.0, -1.0))
    assert status == 200 and answer["shots"] == [plain_shot(low), plain_shot(high)]
    assert ask(server, "aim", x=60.0, y=0.0, stretch=1.0) == (200, {"shots": []})


def test_the_solution_and_agents_are_shown(server: Server) -> None:
    status, solution = ask(server, "solution", task=TWO_BIRDS)
    assert (status, solution["status"], len(solution["shots"])) == (200, "won", 2)
    status, seen = ask(server, "agent", task=EASY, agent="pig_shooter", seed=3)
    assert status == 200 and len(seen["choices"]) == len(seen["shots"]) == 1
    assert (seen["choices"][0]["strategy"], seen["choices"][0]["reason"][:5]) == ("pig", "a pig")
    assert ask(server, "agent", task=EASY, agent="pig_shooter", seed=3)[1]["flyers"] == seen["flyers"]
    assert ask(server, "agent", task=EASY, agent="random", seed=4)[1]["flyers"] != seen["flyers"]


def test_the_next_bird_may_be_shot_while_things_move(server: Server) -> None:
    task = find_task(TWO_BIRDS)
    first, second = rows(task)
    assert first[3] is not None, "the certified solution does not wait until all is at rest"
    status, won = ask(server, "play", task=TWO_BIRDS, shots=[first, second])
    assert (status, won["status"]) == (200, "won")
    assert won["launches"] == [0, round(first[3] * 100)]
    assert won["ready"][0] <= won["launches"][1]
    early = (won["ready"][0] - 5) / 100
    status, answer = ask(server, "play", task=TWO_BIRDS, shots=[[*first[:3], early], second])
    assert status == 400
    assert answer["error"].startswith(
        f"Shot 2: expected it after the first collision of the bird before, which is {early + 0.05:.2f} s"
    )


def test_a_tap_is_neither_early_nor_late(server: Server) -> None:
    shot = find_task(YELLOW).solution[0]
    begins = power_begins(shot)
    assert begins == pytest.approx((-10.0 - shot.start[0]) / shot.velocity[0])
    degrees, stretch, tap, _ = plain_shot(shot)
    status, won = ask(server, "play", task=YELLOW, shots=[[degrees, stretch, tap, None]])
    assert (status, won["status"], won["taps"]) == (200, "won", [round(tap * 100)])
    status, early = ask(server, "play", task=YELLOW, shots=[[degrees, stretch, begins - 0.05, None]])
    assert status == 400 and f"expected a tap after {begins:.2f} s, when the bird's power begins" in early["error"]
    status, late = ask(server, "play", task=YELLOW, shots=[[degrees, stretch, 9.5, None]])
    assert status == 400 and "expected a tap before the bird's first collision" in late["error"]
    status, never = ask(server, "play", task=YELLOW, shots=[[90.0, 1.0, 1.0, None]])
    assert status == 400 and "never comes in front of the slingshot" in never["error"]


@pytest.mark.parametrize(
    ("name", "question", "message"),
    [
        ("task", {"task": "4.4:999"}, "got '4.4:999'"),
        ("task", {"task": "nonsense"}, "such as '4.4:017'"),
        ("task", {"task": "16.1:001"}, "Expected a template of Phy-Q (got '16.1')"),
        ("task", {"task": 5}, "expected 'task' to be str"),
        ("play", {"task": EASY}, "expected the key 'shots'"),
        ("play", {"task": EASY, "shots": []}, "expected 1 to 1 shots, one for each bird (got 0)"),
        ("play", {"task": EASY, "shots": [[20, 1, None, None]] * 2}, "expected 1 to 1 shots"),
        ("play", {"task": EASY, "shots": [[20, 1]]}, "expected degrees, stretch, tap, watch"),
        ("play", {"task": EASY, "shots": ["20"]}, "expected degrees, stretch, tap, watch"),
        ("play", {"task": EASY, "shots": [[120, 1, None, None]]}, "expected degrees from -90 to 90 (got 120)"),
        ("play", {"task": EASY, "shots": [[20, 1.5, None, None]]}, "expected stretch from 0.05 to 1 (got 1.5)"),
        ("play", {"task": EASY, "shots": [["20", 1, None, None]]}, "expected degrees from -90 to 90 (got 20)"),
        ("play", {"task": EASY, "shots": [[True, 1, None, None]]}, "expected degrees"),
        ("play", {"task": EASY, "shots": [[None, 1, None, None]]}, "expected degrees"),
        ("play", {"task": EASY, "shots": [[float("nan"), 1, None, None]]}, "expected degrees"),
        ("play", {"task": EASY, "shots": [[20, 1, 1.0, None]]}, "expected no tap of a red bird"),
        ("play", {"task": YELLOW, "shots": [[20, 1, -1, None]]}, "expected tap from 0 to 10 (got -1)"),
        ("play", {"task": TWO_BIRDS, "shots": [[20, 1, None, 99]]}, "expected watch from 0 to 30 (got 99)"),
        ("aim", {"x": 1, "y": "2", "stretch": 1}, "expected 'y' to be int or float"),
        ("aim", {"x": 1, "y": 2, "stretch": 7}, "expected 'stretch' from 0.05 to 1 (got 7)"),
        ("aim", {"x": float("inf"), "y": 2, "stretch": 1}, "expected 'x' from -100 to 100 (got inf)"),
        ("aim", {"x": 10**400, "y": 2, "stretch": 1}, "expected 'x' from -100 to 100 (got 1000"),
        ("play", {"task": EASY, "shots": [[10**400, 1, None, None]]}, "expected degrees from -90 to 90 (got 1000"),
        ("solution", {"task": "1.5:777"}, "got '1.5:777'"),
        ("agent", {"task": EASY, "agent": "bambird", "seed": 0}, "did you mean 'bambirds'?"),
        ("agent", {"task": EASY, "agent": "random", "seed": -1}, "a whole number from 0 to 1000000 (got -1)"),
        ("agent", {"task": EASY, "agent": "random", "seed": 10**30}, "a whole number from 0"),
        ("agent", {"task": EASY, "agent": "random", "seed": True}, "a whole number from 0"),
    ],
)
def test_a_bad_question_is_explained(server: Server, name: str, question: dict[str, Any], message: str) -> None:
    status, answer = ask(server, name, **question)
    assert status == 400
    assert message in answer["error"]


def test_a_shot_after_the_end_is_explained(server: Server) -> None:
    pig = next(find_task("2.4:001").level.pigs)
    low = plain_shot(aimed_at((pig.x, pig.y))[0])
    status, answer = ask(server, "play", task="2.4:001", shots=[low] * 2)
    assert (status, answer["status"]) == (200, "won"), "two full hits kill a big pig"
    status, answer = ask(server, "play", task="2.4:001", shots=[low] * 3)
    assert status == 400
    assert "no shot after the end of the game (got 3; it was won with 2). Start again." in answer["error"]


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b" " * (LONGEST_QUESTION + 1)])
def test_a_body_that_is_no_question_is_explained(server: Server, body: bytes) -> None:
    answer = request(server, "/phyq/api/play", "POST", body)
    assert answer.status == 400
    assert answer.json["error"].startswith("Expected a ")


def test_an_unknown_question_is_not_found(server: Server) -> None:
    status, answer = ask(server, "solve")
    assert status == 404
    assert "/phyq/api/play" in answer["error"]


def test_many_at_once_get_the_same_answer(server: Server) -> None:
    found: list[tuple[int, dict[str, Any]]] = []
    question = {"task": EASY, "shots": rows(find_task(EASY))}
    threads = [Thread(target=lambda: found.append(ask(server, "play", **question))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [status for status, _ in found] == [200] * 4
    assert all(answer == found[0][1] for _, answer in found)


def test_one_agent_thinks_at_a_time() -> None:
    """A page cannot start more of them than one; play goes on meanwhile."""
    begun, go_on = Event(), Event()

    def slow(state: SymbolicState, rng: np.random.Generator, simulate: Simulate) -> Choice:
        begun.set()
        go_on.wait(HANG_S)
        return Choice(Shot.at(20.0), "slow")

    agent, task = Agent("slow", AgentKind.PLANNING, slow), find_task(EASY)
    with PlayedGames() as games:
        thread = Thread(target=games.watch, args=(agent, task, 0))
        thread.start()
        assert begun.wait(HANG_S)
        with pytest.raises(Busy, match="An agent is thinking already"):
            games.watch(agent, task, 1)
        assert games.play(task, task.solution).pigs_left == 0
        go_on.set()
        thread.join()
        play, _ = games.watch(agent, task, 1)
    assert [choice.strategy for choice in play.choices] == ["slow"]


@pytest.fixture
def rounds(tmp_path: Path) -> Iterator[tuple[Path, Callable[..., tuple[int, dict[str, Any]]]]]:
    with Server(build_app(Library([]), rounds=tmp_path)) as server:
        yield tmp_path, lambda name, **question: ask(server, name, player="ann", number=1, **question)


def test_a_round_counts_attempts_as_peoples_were(
    rounds: tuple[Path, Callable[..., tuple[int, dict[str, Any]]]],
) -> None:
    folder, round_ask = rounds
    status, begun = round_ask("round")
    assert (status, len(begun["tasks"]), begun["score"], begun["finished"]) == (200, 32, None, False)
    assert not list(folder.iterdir()), "looking writes nothing"
    first, second = (find_task(begun["tasks"][k]["id"]) for k in (0, 1))
    miss = [[85.0, 0.1, None, None]]
    assert round_ask("begin", task=first.id)[1]["tasks"][0]["used"] == 1
    round_ask("end", task=first.id, shots=miss, seconds=3.5)
    round_ask("begin", task=first.id)  # given up
    round_ask("begin", task=first.id)
    status, after = round_ask("end", task=first.id, shots=rows(first), seconds=2.5)
    assert after["tasks"][0] == {"id": first.id, "used": 3, "solved": True, "worth": 0.6, "name": "single force"}
    status, refused = round_ask("begin", task=first.id)
    assert status == 400 and "solved with attempt 3" in refused["error"]
    for _ in range(5):
        round_ask("begin", task=second.id)
        status, after = round_ask("end", task=second.id, shots=miss, seconds=1)
    assert after["tasks"][1] == {"id": second.id, "used": 5, "solved": False, "worth": 0.0, "name": "single force"}
    status, refused = round_ask("begin", task=second.id)
    assert status == 400 and "failed 5 times" in refused["error"]
    assert after["scenarios"][0]["yours"] == pytest.approx(0.3)
    assert after["score"] is None, "scenario 1 does not count"
    record = json.loads((folder / "ann-1.json").read_text())
    assert record["tasks"][first.id]["log"][0] == ["85.000,0.100", "lost"]
    assert record["tasks"][first.id]["log"][1] == ["given up"]
    assert record["tasks"][first.id]["seconds"] == 6.0


@pytest.mark.parametrize(
    ("name", "question", "message"),
    [
        ("round", {"player": "../ann"}, "Expected a name of up to 24 letters"),
        ("round", {"player": ""}, "Expected a name"),
        ("round", {"player": "a" * 25}, "Expected a name"),
        ("round", {"number": 1000}, "a whole number from 0 to 999"),
        ("round", {"number": "1"}, "expected 'number' to be int"),
        ("begin", {"task": "1.5:001"}, "Expected a task of round 1 (got '1.5:001')"),
        (
            "end",
            {"task": "1.5:001", "shots": [[20, 1, None, None]], "seconds": -1},
            "expected 'seconds' from 0 to 1e+06",
        ),
        ("end", {"task": "1.5:001", "shots": [[20, 1, None, None]], "seconds": 1}, "Expected a task of round 1"),
    ],
)
def test_a_bad_question_about_a_round_is_explained(
    server: Server, name: str, question: dict[str, Any], message: str
) -> None:
    status, answer = ask(server, name, **{"player": "ann", "number": 1, **question})
    assert status == 400
    assert message in answer["error"]


def test_an_end_without_a_beginning_is_explained(
    rounds: tuple[Path, Callable[..., tuple[int, dict[str, Any]]]],
) -> None:
    folder, round_ask = rounds
    task = find_task(round_ask("round")[1]["tasks"][0]["id"])
    status, answer = round_ask("end", task=task.id, shots=rows(task), seconds=1)
    assert status == 400 and "Expected an attempt that has begun" in answer["error"]
    assert not list(folder.iterdir())

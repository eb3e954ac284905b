"""What the player's page asks the server for, and questions that make no sense."""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from comphy.errors import ComphyError
from comphy.files import write_json
from comphy.puzzles.phyre.benchmark.cache import DEFAULT_FOLDER, SimulationCache
from comphy.puzzles.phyre.benchmark.tasks import Task, find_task, tasks_file, write_tasks
from comphy.puzzles.phyre.world.actions import BALL
from comphy.puzzles.phyre.world.constants import STEPS_FOR_SOLUTION
from comphy.toolkit.explorer.library import Library
from comphy.toolkit.explorer.routes import build_app
from comphy.toolkit.explorer.serving.guards import LONGEST_QUESTION
from comphy.toolkit.explorer.serving.server import Server
from tests.support.few_tasks import install, solved_task
from tests.support.site import request, serving

pytestmark = pytest.mark.bullet


@pytest.fixture(scope="module")
def solved() -> Task:
    return solved_task()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


@pytest.fixture
def tasks(solved: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, *others = install(tmp_path, monkeypatch)
    write_tasks(tasks_file(BALL), BALL, [solved, *(task for task in others if task.tier == BALL)])


def ask(server: Server, name: str, **question: Any) -> tuple[int, dict[str, Any]]:
    answer = request(server, f"/phyre/api/{name}", "POST", json.dumps(question).encode())
    assert answer.headers["content-type"] == "application/json"
    return answer.status, answer.json


def test_the_page_is_served(server: Server) -> None:
    page = request(server, "/phyre/")
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert b"<canvas" in page.content


@pytest.mark.usefixtures("tasks")
def test_a_task_says_all_the_page_shows(server: Server, solved: Task) -> None:
    status, task = ask(server, "task", task=solved.id)
    assert status == 200
    assert task["goal"] == "Make sure the green ball is touching the blue ball."
    assert task["goal_colors"] == ["#6bcebb", "#1877f2"]
    assert task["solution"] == [list(solved.solution)]
    assert task["tasks"] == ["00000:000", "00000:001", "00000:002"]
    assert [body["radius"] for body in task["bodies"]] == [body.shape.radius for body in solved.scene().bodies]


def test_tiers_have_their_templates(server: Server) -> None:
    status, answer = ask(server, "tiers")
    assert status == 200
    assert [(tier["name"], tier["balls"], len(tier["templates"])) for tier in answer["tiers"]] == [
        ("ball", 1, 25),
        ("two_balls", 2, 25),
    ]
    assert answer["agents"] == ["rand", "mem", "optimal"], "who needs no training"


@pytest.mark.usefixtures("tasks")
def test_a_good_action_is_played_to_its_solution(server: Server, solved: Task) -> None:
    status, played = ask(server, "attempt", task=solved.id, balls=[list(solved.solution)])
    assert (status, played["solved"]) == (200, True)
    first, last = played["touches"][-1]
    assert (last, last - first + 1) == (played["steps"], STEPS_FOR_SOLUTION)
    assert len(played["poses"]) == played["steps"] // played["stride"] + 1
    assert played["moving"] == [0, 1, 2]
    assert played["poses"][0][2] == [*solved.solution[:2], 0.0]
    turns = [frame[2][2] for frame in played["poses"]]
    assert max(abs(b - a) for a, b in pairwise(turns)) < 1.0, "no jump at a full turn"


@pytest.mark.usefixtures("tasks")
def test_watching_needs_no_ball(server: Server, solved: Task) -> None:
    status, played = ask(server, "attempt", task=solved.id, balls=[])
    assert (status, played["solved"], played["moving"]) == (200, False, [0, 1])


@pytest.mark.usefixtures("tasks")
def test_a_placement_is_checked(server: Server, solved: Task) -> None:
    assert ask(server, "check", task=solved.id, balls=[list(solved.solution)]) == (200, {"problems": []})
    status, answer = ask(server, "check", task=solved.id, balls=[[1, 200, 5]])
    assert status == 200
    assert answer["problems"] == [{"ball": 0, "reason": "The ball sticks out of the scene.", "body": None}]


@pytest.mark.usefixtures("tasks")
@pytest.mark.parametrize(
    ("name", "question", "message"),
    [
        ("task", {"task": "00000:777"}, "got '00000:777'"),
        ("task", {"task": "nonsense"}, "such as '00002:017'"),
        ("task", {"task": 5}, "expected 'task' to be str"),
        ("attempt", {"task": "00000:000"}, "expected the key 'balls'"),
        ("attempt", {"task": "00000:000", "balls": [[1, 200, 5]]}, "sticks out of the scene"),
        ("attempt", {"task": "00000:000", "balls": [[1, 2, 3]] * 2}, "as tier ball has, 1, or none (got 2)"),
        ("attempt", {"task": "00000:000", "balls": [[1.5, 2, 3]]}, "whole pixels"),
        ("attempt", {"task": "00000:000", "balls": [[True, 2, 3]]}, "whole pixels"),
        ("check", {"task": "00000:000", "balls": [1, 2, 3]}, "whole pixels"),
        ("check", {"task": "00000:000", "balls": [[1, 2, 3]] * 3}, "up to 2 balls"),
    ],
)
def test_a_bad_question_is_explained(server: Server, name: str, question: dict[str, Any], message: str) -> None:
    status, answer = ask(server, name, **question)
    assert status == 400
    assert message in answer["error"]


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b" " * (LONGEST_QUESTION + 1)])
def test_a_body_that_is_no_question_is_explained(server: Server, body: bytes) -> None:
    answer = request(server, "/phyre/api/check", "POST", body)
    assert answer.status == 400
    assert answer.json["error"].startswith("Expected a ")


def test_an_unknown_question_is_not_found(server: Server) -> None:
    status, answer = ask(server, "solve")
    assert status == 404
    assert "/phyre/api/attempt" in answer["error"]


@pytest.mark.usefixtures("tasks")
def test_many_at_once_get_the_same_answer(server: Server, solved: Task) -> None:
    found: list[tuple[int, dict[str, Any]]] = []
    question = {"task": solved.id, "balls": [list(solved.solution)]}
    threads = [Thread(target=lambda: found.append(ask(server, "attempt", **question))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [status for status, _ in found] == [200] * 4
    assert all(answer == found[0][1] for _, answer in found)


@pytest.mark.slow
@pytest.mark.usefixtures("tasks")
def test_a_random_agent_tries_until_it_has_solved_the_task(server: Server, solved: Task) -> None:
    """As long as it has attempts left; only the last one solves it."""
    status, found = ask(server, "agent", task=solved.id, agent="rand")
    assert (status, len(found["tries"]) <= 100) == (200, True)
    ended = [ask(server, "attempt", task=solved.id, balls=balls)[1]["solved"] for balls in found["tries"]]
    assert ended == [False] * (len(ended) - 1) + [True]


@pytest.mark.usefixtures("tasks")
def test_memory_and_oracle_play_from_what_was_simulated(
    server: Server, solved: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for agent in ("mem", "optimal"):
        status, refused = ask(server, "agent", task=solved.id, agent=agent)
        assert (status, "comphy phyre simulate" in refused["error"]) == (400, True)
    cache = SimulationCache(DEFAULT_FOLDER / BALL.name, BALL)
    cache.get_sample(["00000:000", "00000:001", "00000:002"], 60)
    assert (cache.known(find_task(solved.id)) > 0).any(), "60 actions are enough to find a solution"
    tries = {agent: ask(server, "agent", task=solved.id, agent=agent)[1]["tries"] for agent in ("optimal", "mem")}
    assert len(tries["optimal"]) == 1
    assert len(tries["mem"]) >= 1
    assert ask(server, "attempt", task=solved.id, balls=tries["mem"][-1])[1]["solved"]


@pytest.mark.usefixtures("tasks")
def test_recorded_attempts_of_any_agent_are_watched(solved: Task, tmp_path: Path) -> None:
    tried = {solved.id: {"solved_at": 2, "attempts": 3, "tried": "1 200 5, 2 200 6, 3 200 7"}}
    facts = {"agent": "dqn", "setup": "ball_within_template", "fold": 3, "dev": False, "tasks": tried}
    write_json(tmp_path / "dqn.json", facts)
    name = "dqn, ball_within_template, fold 3"
    with Server(build_app(Library(), results=[tmp_path / "dqn.json"])) as site:
        found = ask(site, "agent", task=solved.id, agent=name)[1]
        assert found["tries"] == [[[1, 200, 5]], [[2, 200, 6]]], "up to the one that solved it"
        status, refused = ask(site, "agent", task="00013:000", agent=name)
        assert (status, "did not play task 00013:000" in refused["error"]) == (400, True)
        status, refused = ask(site, "agent", task=solved.id, agent="dqm")
        assert (status, "got 'dqm'" in refused["error"]) == (400, True)


@pytest.mark.parametrize(
    ("tried", "told"), [({}, "Evaluate again"), ({"tried": "1 2"}, "x y radius"), ({"tried": "a b c"}, "x y radius")]
)
def test_results_without_attempts_are_refused(tried: dict[str, str], told: str, tmp_path: Path) -> None:
    one = {"solved_at": None, "attempts": 1, **tried}
    facts = {"agent": "dqn", "setup": "ball_within_template", "fold": 0, "dev": False, "tasks": {"00000:000": one}}
    write_json(tmp_path / "dqn.json", facts)
    with pytest.raises(ComphyError, match=told):
        build_app(Library(), results=[tmp_path / "dqn.json"])

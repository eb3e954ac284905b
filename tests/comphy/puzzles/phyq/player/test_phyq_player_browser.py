"""The player in a real browser: pull, shoot, tap, win, lose, replay, watch others, and play a round."""

import json
import math
from collections.abc import Iterator
from typing import Any

import pytest

from comphy.evaluation.puzzles.phyq.round import round_score, round_tasks
from comphy.puzzles.phyq.player.scene import view_of
from comphy.puzzles.phyq.tasks.task import Task, find_task, load_tasks, plain_shot
from comphy.puzzles.phyq.world.constants import RELEASE
from comphy.puzzles.phyq.world.launch import Shot
from comphy.toolkit.explorer.library import Library
from comphy.toolkit.explorer.routes import build_app
from comphy.toolkit.explorer.serving.server import Server
from tests.support.accessibility import grave_findings
from tests.support.chromium import Page, chromium
from tests.support.site import request

pytestmark = [pytest.mark.bullet, pytest.mark.browser]

STATUS = "document.querySelector('#status').textContent"
RUN = "document.querySelector('#run').textContent"
ATTEMPTS = "document.querySelector('#attempts').textContent"
PLAYS = "performance.getEntriesByType('resource').filter((one) => one.name.endsWith('api/play')).length"
PICTURE = "document.querySelector('#board').toDataURL()"
BLUE, TWO_BIRDS = "15.2:001", "14.2:001"


@pytest.fixture(scope="module")
def easy() -> str:
    """A task that is solved at full stretch."""
    tasks = (task for task in load_tasks().values() if task.template_id == "1.5")
    return next(task.id for task in tasks if math.hypot(task.solution[0].dx, task.solution[0].dy) > 0.999)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(build_app(Library([]), rounds=tmp_path_factory.mktemp("rounds"))) as server:
        yield server


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with chromium(tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture
def page(browser: Page) -> Iterator[Page]:
    """It remembers nothing of the test before."""
    yield browser
    browser.value("localStorage.clear()")
    browser.open("about:blank")
    assert browser.errors == []


def opened(page: Page, site: Server, task_id: str, width: int = 1280, height: int = 800) -> Task:
    page.open(f"{site.address}phyq/#{task_id}", width, height)
    page.wait(f"document.title.includes('{task_id}')")
    page.value("document.querySelector('#speed').value = '4'")
    return find_task(task_id)


def reload(page: Page) -> None:
    """Leaves the page and opens it again."""
    address = page.value("location.href")
    page.open("about:blank")
    page.open(address)


def place(page: Page, task: Task, x: float, y: float) -> tuple[float, float]:
    """Where a place of the level is in the window."""
    left, top, width, height = page.value(
        "(b => [b.left, b.top, b.width, b.height])(document.querySelector('#board').getBoundingClientRect())"
    )
    view = view_of(task.level.things)
    across = (x - view["left"]) / (view["right"] - view["left"])
    return left + across * width, top + (view["top"] - y) / (view["top"] - view["bottom"]) * height


def pull(page: Page, task: Task, shot: Shot) -> tuple[float, float]:
    """Takes the bird and pulls it far in the direction of a shot at full stretch, without letting go."""
    x, y = place(page, task, *RELEASE)
    angle = math.radians(shot.degrees)
    end = (x - 150 * math.cos(angle), y + 150 * math.sin(angle))
    page.mouse("mousePressed", x, y, button="left", clickCount=1)
    page.mouse("mouseMoved", x - 40, y, button="left", buttons=1)
    page.mouse("mouseMoved", *end, button="left", buttons=1)
    return end


def let_go(page: Page, at: tuple[float, float]) -> None:
    page.mouse("mouseReleased", *at, button="left", clickCount=1)


def slide(page: Page, name: str, value: float) -> None:
    page.value(
        f"(one => {{ one.value = {value}; one.dispatchEvent(new Event('input')) }})"
        f"(document.querySelector('.shot input[aria-label={name}]'))"
    )


def aim(page: Page, shot: Shot) -> None:
    degrees, stretch, tap, _ = plain_shot(shot)
    assert degrees is not None and stretch is not None
    slide(page, "Angle", degrees)
    slide(page, "Stretch", 100 * stretch)
    if tap is not None:
        slide(page, "Tap", tap)


def test_a_level_is_won_by_pulling(page: Page, site: Server, easy: str) -> None:
    task = opened(page, site, easy)
    assert page.value(STATUS) == "Get the pig with 1 bird: pull the bird back and let go."
    assert page.value("document.querySelectorAll('#gallery [data-group]').length") == 15
    at_rest = page.value(PICTURE)
    end = pull(page, task, task.solution[0])
    page.wait(f"{STATUS}.includes('100 % stretch')")
    degrees = page.value(f"parseFloat({STATUS})")
    assert degrees == pytest.approx(task.solution[0].degrees, abs=0.06)
    assert page.value(PICTURE) != at_rest, "the bird is pulled and its flight is predicted"
    let_go(page, end)
    page.wait(f"{STATUS}.startsWith('Won with attempt 1: 1.0 of 1')")
    assert page.value(ATTEMPTS).endswith("Solved: 1.0 of 1")
    assert page.value("document.querySelectorAll('#marks i').length") == 1, "a mark where the pig died"

    ended = page.value(PICTURE)
    page.value("(one => { one.value = 40; one.dispatchEvent(new Event('input')) })(document.querySelector('#time'))")
    page.wait("document.querySelector('#clock').textContent === '0.4 s'")
    assert page.value(PICTURE) != ended
    page.key(" ", " ")
    page.wait(f"{RUN} === 'Pause'")
    page.wait(f"{RUN} === 'Replay'")
    assert page.value(PLAYS) == 1, "a replay asks nothing"

    reload(page)
    page.wait(f"document.title.includes('{easy}') && {ATTEMPTS}.endsWith('Solved: 1.0 of 1')")
    page.key("]")
    following = f"1.5:{task.number + 1:03d}"
    page.wait(f"document.title.includes('{following}')")
    page.value("location.hash = '#1.5:999'")
    page.wait(f"{STATUS}.includes('1.5:999')")


def test_a_pull_is_taken_back_near_the_sling(page: Page, site: Server, easy: str) -> None:
    task = opened(page, site, easy)
    pull(page, task, task.solution[0])
    x, y = place(page, task, *RELEASE)
    page.mouse("mouseMoved", x + 2, y, button="left", buttons=1)
    let_go(page, (x + 2, y))
    page.wait(f"{STATUS}.startsWith('Get the pig')")
    assert page.value(PLAYS) == 0
    page.drag(place(page, task, 2.0, 0.0))
    page.wait(f"{STATUS}.startsWith('The low arc through this point')")
    page.drag(place(page, task, 2.0, 0.0))
    page.wait(f"{STATUS}.startsWith('The high arc')")


def test_five_attempts_are_lost_with_keys_alone(page: Page, site: Server, easy: str) -> None:
    opened(page, site, easy)
    for left in (4, 3, 2, 1):
        page.key(" ", " ")  # shows the aim
        page.wait(f"{STATUS}.includes('Press Space') || {STATUS}.includes('press Space')")
        if left == 4:
            for _ in range(50):
                page.key("ArrowUp")
            for _ in range(10):
                page.key("ArrowLeft")
            page.wait(f"{STATUS}.startsWith('75°, 50 % stretch')")
        page.key(" ", " ")
        page.wait(f"{ATTEMPTS}.endsWith('{left} of 5 left')")
        page.wait(f"{RUN} === 'Skip' || {RUN} === 'Replay'")
        page.key("s")
        page.wait(f"{STATUS}.startsWith('Not won: 1 pig left.')")
        page.key("r")
        page.wait(f"{RUN} === 'Shoot'")
    page.key("a")
    page.wait(f"{STATUS}.startsWith('The low arc')")
    page.key("ArrowUp")
    page.key(" ", " ")
    page.wait(f"{ATTEMPTS}.endsWith('Five attempts, no success: 0 of 1')")


def test_a_tap_in_flight_and_a_planned_one(page: Page, site: Server) -> None:
    task = opened(page, site, BLUE)
    page.value("document.querySelector('#speed').value = '1'")
    [shot] = task.solution
    end = pull(page, task, shot)
    let_go(page, end)
    page.wait(f"{RUN} === 'Tap'")
    assert page.value(STATUS) == "Click or press Space: the blue bird becomes three."
    page.drag(place(page, task, 0.0, 0.0))
    page.wait(f"{PLAYS} === 2")
    page.wait(f"{RUN} === 'Skip' || {RUN} === 'Replay'")
    page.key("s")
    page.wait(f"{RUN} === 'Replay'")
    page.key("r")
    page.wait(f"{RUN} === 'Shoot'")
    page.value("document.querySelector('#speed').value = '4'")
    aim(page, shot)
    page.key(" ", " ")
    page.wait(f"{STATUS}.startsWith('Won with attempt 2: 0.8 of 1')")


def test_the_next_bird_is_shot_while_things_move(page: Page, site: Server) -> None:
    task = opened(page, site, TWO_BIRDS)
    page.value("document.querySelector('#speed').value = '0.25'")
    first, second = task.solution
    aim(page, first)
    page.key(" ", " ")
    page.wait(f"{STATUS} === 'The next bird is in the sling. You may shoot while things move.'")
    moving = page.value("parseFloat(document.querySelector('#clock').textContent)")
    assert page.value("document.querySelector('#time').disabled"), "what has happened is not to be undone"
    aim(page, second)
    page.key(" ", " ")
    page.wait(f"{PLAYS} === 2")
    page.value("document.querySelector('#speed').value = '4'")
    page.value("document.querySelector('#speed').dispatchEvent(new Event('change'))")
    page.wait(f"{RUN} === 'Replay'")
    assert page.value("parseFloat(document.querySelector('#time').max) / 100") > moving


def test_the_solution_and_an_agent_are_watched(page: Page, site: Server, easy: str) -> None:
    opened(page, site, easy)
    page.value("document.querySelector('#solution').click()")
    page.wait(f"{STATUS}.startsWith('Certified solution:') && {STATUS}.endsWith('Won.')")
    assert page.value("document.querySelector('.badge').textContent") == "Certified solution"
    page.key("r")
    page.wait(f"{RUN} === 'Shoot'")
    assert page.value(ATTEMPTS).endswith("For practice: you have seen how it is done")
    page.value("document.querySelector('.watch select').value = 'pig_shooter'")
    page.value("document.querySelector('.watch button').click()")
    page.wait(f"{STATUS}.startsWith('pig_shooter: pig (a pig at')")
    page.wait(f"{RUN} === 'Replay'")


def test_a_small_window_is_played_in(page: Page, site: Server, easy: str) -> None:
    task = opened(page, site, easy, width=400, height=800)
    assert page.value("document.documentElement.scrollWidth") <= 400
    page.value("document.querySelector('#board').scrollIntoView()")
    let_go(page, pull(page, task, task.solution[0]))
    page.wait(f"{STATUS}.startsWith('Won with attempt 1')")


def ask(site: Server, name: str, **question: Any) -> dict[str, Any]:
    answer = request(site, f"/phyq/api/{name}", "POST", json.dumps(question).encode())
    assert answer.status == 200, answer.content
    return dict(answer.json)


@pytest.mark.slow
def test_a_round_is_played_to_its_score(page: Page, site: Server, easy: str) -> None:
    opened(page, site, easy)
    page.value("document.querySelectorAll('#groups button')[1].click()")
    page.value("document.querySelector('dialog input').value = 'bob'")
    assert grave_findings(page) == []
    page.value("document.querySelector('dialog .primary').click()")
    page.wait("document.querySelector('#name').textContent === 'Task 1 of 32'")
    assert page.value("document.querySelector('#buttons').hidden"), "nothing is shown before it is decided"
    first, *others = round_tasks(1, load_tasks().values())
    aim(page, first.solution[0])
    page.key(" ", " ")
    page.wait("document.querySelector('.cell').textContent === '1.0'")
    assert not page.value("document.querySelector('#buttons').hidden")
    page.wait("document.querySelector('#reset').textContent === 'Next task'")
    page.key("r")
    page.wait("document.querySelector('#name').textContent === 'Task 2 of 32'")
    reload(page)
    page.wait("document.querySelector('#name').textContent === 'Task 2 of 32'")
    assert grave_findings(page) == []

    for used in range(1, 6):
        aim(page, Shot.at(85.0, 0.3))
        page.key(" ", " ")
        page.wait(f"document.querySelectorAll('.dot.failed').length === {used} && {RUN} !== 'Shoot'")
        page.value("document.querySelector('#reset').click()")  # given up
        page.wait(f"{RUN} === 'Shoot'")
    page.wait("document.querySelector('#name').textContent === 'Task 3 of 32'")
    assert page.value("document.querySelectorAll('.cell')[1].textContent") == "0.0"

    second, *others = others
    worths = {first.id: 1.0, second.id: 0.0}
    who = {"player": "bob", "number": 1}
    for k, task in enumerate(others):
        for _ in range(k % 3 + 1):
            ask(site, "begin", **who, task=task.id)
        shots = [plain_shot(shot) for shot in task.solution]
        worths[task.id] = (5 - k % 3) / 5
        ended = ask(site, "end", **who, task=task.id, shots=shots, seconds=1)
    assert ended["finished"]
    reload(page)
    page.wait("document.querySelector('.big')?.textContent.startsWith('Your Phy-Q score')")
    expected = round_score(worths)
    assert page.value("document.querySelector('.big strong').textContent") == f"{expected:.1f}"
    assert page.value("document.querySelectorAll('#result tbody tr').length") == 15
    assert grave_findings(page) == []
    page.value("document.querySelector('#groups button').click()")
    page.wait(f"{STATUS}.startsWith('Get the pig') && document.querySelector('#result').hidden")

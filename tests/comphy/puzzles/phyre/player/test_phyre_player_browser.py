"""The player in a real browser: place a ball with the mouse, run, scrub, read the status."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from comphy.puzzles.phyre.benchmark import tasks
from comphy.puzzles.phyre.benchmark.tasks import Task, tasks_file, write_tasks
from comphy.puzzles.phyre.templates.template import templates_of
from comphy.puzzles.phyre.world.actions import BALL, TWO_BALLS
from tests.support.chromium import Page, chromium
from tests.support.few_tasks import first_tasks, solved_task
from tests.support.site import serving

pytestmark = [pytest.mark.bullet, pytest.mark.browser]

STATUS = "document.querySelector('#status').textContent"
RUN = "document.querySelector('#run')"


@pytest.fixture
def task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Task:
    """Both tiers have a short task list; this task has a known solution, the others have none."""
    solved = solved_task()
    monkeypatch.setattr(tasks, "TASKS_FOLDER", tmp_path)
    others = [task for template in templates_of(BALL) for task in first_tasks(template.id, 2) if task.id != solved.id]
    write_tasks(tasks_file(BALL), BALL, [solved, *others])
    first = [task for template in templates_of(TWO_BALLS) for task in first_tasks(template.id, 1)]
    write_tasks(tasks_file(TWO_BALLS), TWO_BALLS, first)
    return solved


@pytest.fixture
def page(task: Task, tmp_path: Path) -> Iterator[Page]:
    with serving() as site, chromium(tmp_path / "profile") as page:
        page.open(f"{site.address}phyre/#{task.id}")
        page.wait(f"document.title.includes('{task.id}')")
        yield page


def box(page: Page, selector: str) -> tuple[float, float, float, float]:
    """Left, top, width and height."""
    return tuple(
        page.value(
            f"(b => [b.left, b.top, b.width, b.height])(document.querySelector('{selector}').getBoundingClientRect())"
        )
    )


def middle(page: Page, selector: str) -> tuple[float, float]:
    left, top, width, height = box(page, selector)
    return left + width / 2, top + height / 2


def at(page: Page, x: float, y: float) -> tuple[float, float]:
    """Where a pixel of the scene is in the window."""
    left, top, side, _ = box(page, "#board")
    return left + (x + 0.5) / 256 * side, top + (256 - y - 0.5) / 256 * side


def test_a_puzzle_is_played(page: Page, task: Task) -> None:
    x, y, radius = task.solution
    green = task.scene().bodies[0]
    assert page.value("document.querySelectorAll('#gallery button').length") == 25
    assert page.value(STATUS) == "Click into the scene to place a ball."

    page.drag(at(page, 128, 240), at(page, green.x, green.y))
    page.wait(f"{STATUS} === 'The ball overlaps a green body.'")
    assert page.value(f"{RUN}.disabled")

    page.drag(at(page, green.x, green.y), at(page, x, y))
    page.mouse("mouseWheel", *at(page, x, y), deltaX=0, deltaY=60 * (14 - radius))
    page.key("+")
    page.key("-")
    page.wait(f"{STATUS} === 'Ready to run.'")
    place = page.value("document.querySelector('.ball').innerText")
    assert f"x {x}, y {y}" in place
    assert str(radius) in place

    page.key(" ", " ")
    page.wait(f"{RUN}.textContent === 'Pause'")
    page.key(" ", " ")
    page.wait(f"{RUN}.textContent === 'Go on'")
    page.value("document.querySelector('#speed').value = '4'")
    page.key(" ", " ")
    page.wait(f"{STATUS}.startsWith('Solved at')")
    assert page.value("document.querySelector('#attempts').textContent") == "1, solved with number 1."

    page.drag(middle(page, "#time"))
    seconds = page.value("parseFloat(document.querySelector('#clock').textContent)")
    assert seconds == pytest.approx(page.value("document.querySelector('#time').max / 120"), rel=0.1)
    page.key("r")
    page.wait(f"{STATUS} === 'Ready to run.'")

    page.value("document.querySelector('#solution').click()")
    page.wait(f"{STATUS}.startsWith('Solved at')")
    assert page.value("document.querySelector('#attempts').textContent").startswith("1,"), "a shown solution is none"

    page.key("]")
    page.wait("location.hash === '#00000:001' && document.title.includes('00000:001')")
    assert page.value(STATUS) == "Click into the scene to place a ball."
    page.value("location.hash = '#00000:999'")
    page.wait(f"{STATUS}.includes('00000:999')")
    assert page.errors == []


def test_a_run_asked_for_before_the_place_is_checked_waits_for_it(page: Page, task: Task) -> None:
    """A fast player presses the space bar right after the last change; the press must not be lost."""
    x, y, radius = task.solution
    page.drag(at(page, x, y))
    keys = ["+" if radius > 14 else "-"] * abs(radius - 14) + [" "]
    page.value(
        f"for (const key of {keys}) document.body.dispatchEvent(new KeyboardEvent('keydown', {{key, bubbles: true}}))"
    )
    page.wait(f"{RUN}.textContent === 'Pause'")


def test_a_small_window_needs_no_sideways_scrolling(page: Page) -> None:
    page.send("Emulation.setDeviceMetricsOverride", width=360, height=640, deviceScaleFactor=2, mobile=True)
    page.wait("innerWidth === 360")
    assert page.value("document.documentElement.scrollWidth <= 360")
    page.wait("document.querySelector('#board').width === 2 * document.querySelector('#board').clientWidth")


def test_the_attempts_of_an_agent_are_watched(page: Page, task: Task) -> None:
    """One after the other, with keys and buttons to go back and on; they are none of the player's own."""
    page.value("document.querySelector('#speed').value = '4'")
    page.value(
        "[...document.querySelectorAll('#agents button')].find((one) => one.textContent === 'Watch it play').click()"
    )
    page.wait(f"{STATUS}.startsWith('rand, attempt 1 of ')")
    last = page.value(f"Number(/of ([0-9]+)[.]/.exec({STATUS})[1])")
    assert last > 1
    page.wait(f"{STATUS}.startsWith('rand, attempt 2 of ')")
    for number in range(3, last + 1):
        page.wait("!document.querySelector('[aria-label=\\'Next attempt\\']').disabled")
        page.key(".", ".")
        page.wait(f"{STATUS}.startsWith('rand, attempt {number} of ')")
    page.wait(f"{STATUS}.startsWith('rand, attempt {last} of {last}. Solved at')")
    page.key(",", ",")
    page.wait(f"{STATUS}.startsWith('rand, attempt {last - 1} of ')")
    assert page.value("document.querySelector('#attempts').textContent") == "None yet."
    page.key("r")
    page.wait(f"{STATUS} === 'Ready to run.'")
    assert page.errors == []


def test_two_balls_are_placed_with_keys_alone(page: Page) -> None:
    page.value("location.hash = '#00100:000'")
    page.wait("document.title.includes('00100:000')")
    places = "[...document.querySelectorAll('.place output')].map((one) => one.textContent)"
    page.key("ArrowUp")
    page.wait(f"{places}[0] === 'x 128, y 129'")
    for _ in range(2):
        page.key("b")
    page.wait(f"{places}[1] === 'x 128, y 128'")
    page.key("ArrowLeft")
    page.wait(f"{places}.join() === 'x 127, y 129,x 128, y 128'")
    assert page.errors == []

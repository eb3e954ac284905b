"""An exported site in a real browser, opened from disk and from a web server that knows nothing of it."""

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from comphy.dataset.sources.opening import open_source
from comphy.toolkit.explorer.asked import AskedQuestions
from tests.support.accessibility import grave_findings
from tests.support.chromium import Page
from tests.support.commands import comphy
from tests.support.explorer_page import CLOCK, COUNT, set_value
from tests.support.made_once import made_once

pytestmark = [pytest.mark.bullet, pytest.mark.browser]

CHOSEN = (0, 3, 4)
QUESTION = "What will happen next?"


@pytest.fixture(scope="module")
def site(six_rendered: Path, agrees: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three sets, with the answers of a run."""

    def make(folder: Path) -> None:
        result = comphy("explore", six_rendered, "--export", folder, "--sets", "0,3-4", "--run", agrees)
        assert result.returncode == 0, result.stderr
        assert (folder / "index.html").as_uri() in result.stdout.replace("\n", "")

    return made_once(tmp_path_factory, "a site of sets", make)


@pytest.fixture
def served(site: Path) -> Iterator[str]:
    """The site below a path of another one."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site.parent))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{site.name.replace(' ', '%20')}/"
        server.shutdown()


def test_sets_are_found_from_disk_with_keys_alone(page: Page, site: Path, six_rendered: Path) -> None:
    page.open((site / "index.html").as_uri(), width=400, height=900)
    page.wait(f"{COUNT} === '3 sets'")
    page.wait("[...document.querySelectorAll('.poster img')].filter((one) => one.naturalWidth > 0).length === 3")
    assert page.value("[...document.querySelectorAll('header nav a')].map((one) => one.textContent)") == [
        "Sets",
        "Runs",
    ]
    assert "comphy explore" in page.value("document.querySelector('footer').textContent")
    searched = AskedQuestions(open_source(six_rendered), CHOSEN)
    for words in ("collide", "METAL  cube", "zebra", "if were heavier"):
        set_value(page, "input[type=search]", words, "input")
        found = len(searched.search(words))
        page.wait(f"{COUNT}.startsWith('{found} set')")
    set_value(page, "input[type=search]", "", "input")
    page.wait(f"{COUNT} === '3 sets'")
    assert grave_findings(page) == []
    page.value("document.querySelector('.card[tabindex=\"0\"]').focus()")
    page.key("ArrowRight")
    page.wait("document.activeElement.textContent.startsWith('Set 3')")
    page.key("Enter", "\r")
    page.wait("document.title.startsWith('Set 3 ·')")
    page.key("]", "]")
    page.wait("document.title.startsWith('Set 4 ·')")


@pytest.mark.parametrize("place", ["disk", "web"])
def test_a_set_plays_and_shows_other_worlds(page: Page, site: Path, served: str, place: str) -> None:
    start = (site / "index.html").as_uri() if place == "disk" else served
    page.open(f"{start}#/set/0/3?frame=10")
    page.wait("document.querySelectorAll('.stage video').length === 5")
    page.wait("[...document.querySelectorAll('video')].every((one) => one.readyState > 1 && !one.seeking)")
    assert page.value(CLOCK) == "0.40 s · 10"
    page.key("ArrowRight")
    page.wait("[...document.querySelectorAll('video')].every((one) => Math.abs(one.currentTime - 11.5 / 25) < 1e-3)")
    page.value("document.querySelector('.world').click()")
    page.wait("document.querySelectorAll('.beside .stage').length === 1")
    assert page.value("document.querySelectorAll('.questions details').length") > 0
    assert page.value("document.querySelectorAll('.whatif, .asking, .questions .shown:last-child button').length") == 0


def test_what_was_not_exported_is_told(page: Page, site: Path) -> None:
    page.open(f"{(site / 'index.html').as_uri()}#/set/0/1")
    page.wait("document.querySelector('[role=alert]')?.textContent === 'This is not among what was exported.'")


def test_answers_of_a_run_lead_to_their_sets(page: Page, site: Path) -> None:
    page.open(f"{(site / 'index.html').as_uri()}#/runs", width=400, height=800)
    page.wait("document.querySelectorAll('.questions .asked a').length > 0")
    assert page.value("document.querySelector('.run').textContent") == "agrees"
    page.wait("document.querySelectorAll('.training .plot .curve').length === 2")
    circles = "[...document.querySelectorAll('.plots .plot')].map((one) => one.querySelectorAll('circle').length)"
    assert set(page.value(circles)) == {1}, "all answers of a kind are equally sure"
    assert page.value("[...document.querySelectorAll('.training .legend li')].map((one) => one.textContent)") == [
        "agrees: train/loss, last 0.125",
        "agrees: val/loss, last 0.25",
    ]
    set_value(page, ".training select", "rate", "change")
    page.wait("document.querySelectorAll('.training .plot .curve').length === 1")
    assert "curve=rate" in page.value("location.hash")
    assert page.value("document.documentElement.scrollWidth") <= 400
    assert grave_findings(page) == []
    page.value("document.querySelector('.questions a').click()")
    page.wait("document.querySelector('.sought')?.textContent.includes('✗ agrees')")
    assert page.value("document.documentElement.scrollWidth") <= 400


@pytest.fixture(scope="module")
def asked(six_rendered: Path, untrained: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with what a reasoner answers."""

    def make(folder: Path) -> None:
        given = ("--sets", "4", "--run", untrained, "--ask", QUESTION, "--ask", "Flurb the gnarf?")
        result = comphy("explore", six_rendered, "--export", folder, *given)
        assert result.returncode == 0, result.stderr

    return made_once(tmp_path_factory, "asked site", make)


@pytest.mark.slow
def test_what_a_model_answered_is_shown_with_its_clip(page: Page, asked: Path) -> None:
    page.open(f"{(asked / 'index.html').as_uri()}#/set/0/4?ask=What+will+happen+next%3F")
    page.wait("document.querySelector('.sentence')?.textContent.startsWith('After the video')")
    assert page.value("document.querySelector('select.line').value") == QUESTION
    page.wait("document.querySelector('.clip').readyState > 0")
    page.wait("document.querySelector('.beside figcaption')?.textContent.startsWith('As the model imagines it')")
    assert page.value("document.querySelectorAll('.steps tbody tr').length") > 0
    assert grave_findings(page) == []
    set_value(page, ".asking select + select", "the simulator alone", "change")
    page.wait("document.querySelectorAll('.steps th').length === 2")
    set_value(page, "select.line", "Flurb the gnarf?", "change")
    page.wait("document.querySelector('.answer [role=alert]')?.textContent.includes('did not understand')")
    page.open("about:blank")
    page.open(f"{(asked / 'index.html').as_uri()}#/set/0/4?ask=How+many+objects+are+there%3F", width=400, height=800)
    page.wait("document.querySelector('.answer [role=alert]')?.textContent.includes('has no server to ask')")
    assert page.value("document.documentElement.scrollWidth") <= 400

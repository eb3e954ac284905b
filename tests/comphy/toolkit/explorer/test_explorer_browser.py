"""The explorer in a real browser: find a set, open it, play, scrub, switch layers, see another world, ask."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from comphy.dataset.dataset import open_dataset
from comphy.toolkit.explorer.library import Library
from comphy.toolkit.explorer.routes import build_app
from comphy.toolkit.explorer.runs.runs import Runs
from comphy.toolkit.explorer.serving.server import Server
from tests.support.accessibility import grave_findings
from tests.support.chromium import Page
from tests.support.explorer_page import CARDS, CLOCK, COUNT, LISTED, NAMELESS, darkness, press, set_value

pytestmark = [pytest.mark.bullet, pytest.mark.browser]


@pytest.fixture(scope="module")
def site(
    small_dataset: Path, six_rendered: Path, agrees: Path, untrained: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    library = Library([six_rendered, small_dataset])
    app = build_app(library, Runs([agrees], library.source(0).source), [untrained])
    with pytest.MonkeyPatch.context() as patch, Server(app) as server:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield server


def test_sets_are_found_and_opened_with_keys_alone(page: Page, site: Server) -> None:
    page.open(f"{site.address}#/browse/0", width=400, height=500)
    page.wait(f"{COUNT} === '6 sets'")
    assert page.value(CARDS) < 6, "cards out of sight do not exist"
    assert page.value(NAMELESS) == []
    set_value(page, ".filters label:nth-child(2) select", "val", "change")
    page.wait(f"{COUNT} === '1 set'")
    assert "split=val" in page.value("location.hash")
    page.value("document.querySelector('.filters .reset').click()")
    page.wait(f"{COUNT} === '6 sets'")
    press(page, "/")
    assert page.value("document.activeElement.type") == "search"
    for letter in "zebra":
        press(page, letter)
    page.wait(f"{COUNT}.startsWith('0 sets: no set has all of this')")
    set_value(page, "input[type=search]", "3", "input")
    page.wait(f"{COUNT} === '1 set'")
    set_value(page, "input[type=search]", "", "input")
    page.wait(f"{COUNT} === '6 sets' && {CARDS} > 1")
    page.value("document.querySelector('.card[tabindex=\"0\"]').focus()")
    press(page, "ArrowRight")
    page.wait("document.activeElement.textContent.startsWith('Set 1')")
    press(page, "End")
    page.wait("document.activeElement.textContent.startsWith('Set 5')")
    press(page, "Home")
    press(page, "ArrowRight")
    press(page, "Enter")
    page.wait("document.title.startsWith('Set 1 ·')")
    assert page.value("location.hash").startswith("#/set/0/1")
    press(page, "]")
    page.wait("document.title.startsWith('Set 2 ·')")


def test_five_videos_play_in_step_and_are_scrubbed(page: Page, site: Server) -> None:
    page.open(f"{site.address}#/set/0/1?frame=10")
    page.wait("document.querySelectorAll('.stage video').length === 5")
    page.wait(f"{CLOCK} === '0.40 s · 10'")
    page.wait("[...document.querySelectorAll('video')].every((one) => one.readyState > 1 && !one.seeking)")
    press(page, "ArrowRight")
    press(page, "ArrowRight")
    page.wait(f"{CLOCK} === '0.48 s · 12'")
    page.wait("[...document.querySelectorAll('video')].every((one) => Math.abs(one.currentTime - 12.5 / 25) < 1e-3)")
    press(page, " ")
    page.wait("document.querySelector('.play').textContent === 'Pause'")
    page.wait("document.querySelector('video').currentTime > 0.7")
    press(page, " ")
    page.wait("document.querySelector('.play').textContent === 'Play'")
    page.wait("[...document.querySelectorAll('video')].every((one) => one.paused && !one.seeking)")
    frame = page.value(f"Number({CLOCK}.split(' · ')[1])")
    assert page.value("document.querySelector('video').currentTime") == pytest.approx((frame + 0.5) / 25, abs=1e-3)
    set_value(page, ".transport input", "150", "input")
    page.wait("document.querySelector('.badge').textContent.startsWith('hidden future')")
    assert "frame=150" in page.value("location.hash")
    page.value("document.querySelector('.event').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    page.wait(f"!{CLOCK}.endsWith(' 150')")


def test_layers_and_other_worlds(page: Page, site: Server) -> None:
    """A set without videos: frames are drawn in the page."""
    page.open(f"{site.address}#/set/1/1?frame=80&layers=")
    page.wait("document.querySelectorAll('.stage').length === 5 && !document.querySelector('.drawn').hidden")
    page.wait("document.querySelector('.drawn').width > 300")
    assert darkness(page, ".drawn") > 300, "objects and shadows are drawn"
    assert darkness(page, ".over") == 0
    for key, name in enumerate(("numbers", "boxes", "masks", "tracks", "velocities", "hidden"), start=1):
        before = page.value("document.querySelector('.over').toDataURL()")
        press(page, str(key))
        page.wait(f"document.querySelector('.over').toDataURL() !== '{before}'")
        assert page.value(f"document.querySelector('[data-layer={name}]').ariaPressed") == "true"
    assert page.value(NAMELESS) == []
    key = page.value("document.querySelector('.world').dataset.run")
    page.value("document.querySelector('.world').click()")
    page.wait("document.querySelectorAll('.beside .stage').length === 1")
    assert f"run={key}" in page.value("location.hash")
    page.value("document.querySelector('.world').click()")
    page.wait("document.querySelectorAll('.beside .stage').length === 0")
    set_value(page, ".whatif input", "7", "input")
    page.wait("document.querySelector('.whatif [role=status]').textContent.startsWith('Bullet: in')")
    assert page.value("document.querySelector('.whatif figcaption').textContent").endswith("had mass 8. By Bullet")
    assert "if=" in page.value("location.hash")


def test_a_slider_is_drawn_and_its_world_comes_beside(page: Page, site: Server) -> None:
    page.open(f"{site.address}#/set/1/1")
    page.wait("document.querySelectorAll('.whatif .by select').length === 1")
    set_value(page, ".whatif .by select", "", "change")
    page.wait("document.querySelectorAll('.whatif input').length > 1")
    charge = "document.querySelectorAll('.whatif input')[1]"
    page.value(f"{charge}.scrollIntoView({{block: 'center'}})")
    x, y, width = page.value(f"(box => [box.x, box.y + box.height / 2, box.width])({charge}.getBoundingClientRect())")
    page.drag((x + width / 2, y), (x + width - 2, y))
    page.wait("document.querySelector('.whatif figcaption')?.textContent.endsWith('had charge 2. By Bullet')")
    assert page.value("document.querySelectorAll('.whatif .stage').length") == 1
    assert page.value("document.querySelectorAll('.whatif output')[1].textContent") == "+2"
    page.value("document.querySelector('.whatif .reset').click()")
    page.wait("document.querySelectorAll('.beside .stage').length === 0")
    assert "if=" not in page.value("location.hash")


@pytest.mark.slow
def test_bullet_and_the_learned_dynamics_side_by_side_with_keys_alone(page: Page, site: Server) -> None:
    """The model has learned nothing: they part, and the page says where."""
    page.open(f"{site.address}#/set/1/1?frame=20", width=400, height=800)
    page.wait("document.querySelectorAll('.whatif input').length > 1")
    page.value("document.querySelector('.whatif input').focus()")
    press(
        page, "ArrowLeft" if page.value("Number(document.querySelector('.whatif input').value)") > 0 else "ArrowRight"
    )
    page.wait("document.querySelectorAll('.whatif .stage').length === 2")
    captions = page.value("[...document.querySelectorAll('.whatif figcaption')].map((one) => one.textContent)")
    assert captions[0].endswith("By Bullet")
    assert captions[1].startswith("By the learned dynamics of untrained, from the true start")
    assert page.value(CLOCK) == "0.80 s · 20", "keys of a slider move no frame"
    frame = page.value("Number(/part at frame ([0-9]+)/.exec(document.querySelector('.whatif').innerText)[1])")
    assert 0 < frame < 175
    assert page.value("document.querySelectorAll('.parting .curve:not(.halo)').length") == page.value(
        "document.querySelectorAll('.whatif .row').length"
    )
    assert "blue ones: by the learned dynamics" in page.value("document.querySelector('.top + figcaption').textContent")
    assert page.value("document.documentElement.scrollWidth") <= 400
    assert page.value(NAMELESS) == []
    assert grave_findings(page) == []


def test_the_start_of_an_object_is_dragged_or_typed(page: Page, site: Server) -> None:
    page.open(f"{site.address}#/set/1/1", height=1000)
    page.wait("document.querySelectorAll('.whatif .by select').length === 1")
    set_value(page, ".whatif .by select", "", "change")
    page.value("document.querySelector('.top').scrollIntoView({block: 'center'})")
    left, top, width = page.value(
        "(box => [box.x, box.y, box.width])(document.querySelector('.top').getBoundingClientRect())"
    )
    away, right = page.value(
        "[...document.querySelectorAll('.whatif .start input')].slice(0, 2).map((one) => Number(one.value))"
    )
    unit = width / 9.4
    x, y = left + (right + 4.7) * unit, top + (5.9 - away) * unit
    page.drag((x, y), (x + unit / 2, y), (x + unit, y))
    page.wait("location.hash.includes('start')")
    page.wait("document.querySelectorAll('.whatif .stage').length === 1")
    moved = page.value("Number(document.querySelectorAll('.whatif .start input')[1].value)")
    assert moved == pytest.approx(right + 1, abs=0.05)
    set_value(page, ".whatif .start input", str(round(away - 0.5, 2)), "change")
    page.wait(f"location.hash.includes(encodeURIComponent('[{round(-(away - 0.5), 2):g},'))")


@pytest.mark.slow
def test_what_a_run_saw_is_a_layer(page: Page, site: Server) -> None:
    page.open(f"{site.address}#/set/0/1?frame=30&layers=")
    page.wait("document.querySelectorAll('.chip[data-layer]').length === 9")
    page.wait("document.querySelector('.over').width > 300")
    press(page, "7")
    page.wait("document.querySelector('.main > p').textContent.startsWith('untrained looks at the videos')")
    page.wait("document.querySelector('.main > p').textContent.startsWith('untrained saw ')")
    for key in ("7", "8", "9"):
        before = page.value("document.querySelector('.over').toDataURL()")
        press(page, key)
        page.wait(f"document.querySelector('.over').toDataURL() !== '{before}'")
    assert "layers=seen-tracks%2Cdoubts" in page.value("location.hash")


@pytest.mark.slow
def test_what_a_model_imagines_becomes_a_clip(page: Page, site: Server) -> None:
    page.open(f"{site.address}#/set/0/1?ask=What+will+happen+next%3F")
    page.wait("document.querySelector('.sentence')?.textContent.startsWith('After the video')")
    page.wait("document.querySelector('.beside figcaption')?.textContent.startsWith('As the model imagines it')")
    assert page.value("document.querySelectorAll('.steps tbody tr').length") > 0
    page.value("document.querySelector('.answer .shown button').click()")
    page.wait("document.querySelector('.clip')?.readyState > 0")
    page.value("document.querySelector('.steps tbody tr').focus()")
    assert page.value("document.activeElement.matches('.steps tr')"), "steps can be pointed at with keys"


@pytest.mark.slow
def test_the_simulator_answers_words_and_programs(page: Page, site: Server, small_dataset: Path) -> None:
    """With the parser that comes along, and without looking at videos."""
    one = open_dataset(small_dataset)[1]
    page.open(f"{site.address}#/set/1/1?by=the+simulator+alone&ask=Flurb+the+gnarf%3F", width=400, height=800)
    page.wait("document.querySelector('.answer [role=alert]')?.textContent.includes('did not understand')")
    set_value(page, ".asking input", "How many objects are there?", "input")
    page.value("document.querySelector('.asking input').focus()")
    press(page, "Enter")
    page.wait(f"document.querySelector('.sentence')?.textContent === '{len(one.annotation.target.objects)}'")
    assert "ask=How+many+objects+are+there" in page.value("location.hash")
    assert page.value("[...document.querySelectorAll('.steps code')].map((one) => one.textContent)") == [
        "count",
        "objects",
    ]
    for question in one.questions:
        if question.answer is not None:
            program = " ".join(question.program)
            set_value(page, ".answer details input", program, "input")
            page.value("document.querySelector('.answer details button').click()")
            page.wait(f"document.querySelector('.answer details input')?.value === '{program}'")
            page.wait(f"document.querySelector('.sentence').textContent === '{question.answer}'")
    assert page.value("document.documentElement.scrollWidth") <= 400
    set_value(page, ".answer details input", "objects flurb", "input")
    page.value("document.querySelector('.answer details button').click()")
    page.wait("document.querySelector('.answer [role=alert]')?.textContent.includes('flurb')")


def test_a_video_that_does_not_decode_is_drawn(page: Page, site: Server) -> None:
    page.open(f"{site.address}#/set/0/2?frame=20")
    page.wait("document.querySelectorAll('.stage video').length === 5")
    page.value("document.querySelector('video').src = 'main.js'")
    page.wait("document.querySelectorAll('.stage video').length === 4")
    assert "cannot be decoded" in page.value("document.querySelector('.badge').textContent")
    assert darkness(page, ".drawn") > 300


def test_what_is_not_there_is_told(page: Page, site: Server) -> None:
    page.open(f"{site.address}#/set/0/99")
    page.wait("document.querySelector('[role=alert]')?.textContent.includes('no set 99')")
    page.open(f"{site.address}#/browse/9")
    page.wait("document.querySelector('h1')?.textContent === 'There is no such source here.'")


def test_wrong_answers_of_a_run_lead_to_their_sets(page: Page, site: Server) -> None:
    page.open(f"{site.address}#/runs")
    page.wait(f"{LISTED} > 0")
    assert page.value("document.querySelector('.run').textContent") == "agrees"
    assert page.value("[...document.querySelectorAll('.questions li')].every((one) => one.textContent.includes('✗'))")
    asked = page.value("document.querySelector('.questions a').textContent")
    page.value("document.querySelector('.questions a').click()")
    page.wait("document.querySelector('.sought')?.textContent.includes('✗ agrees')")
    assert page.value("document.querySelector('.sought .strong').textContent") == asked


def test_a_run_is_shown_with_its_robustness_and_confusion(page: Page, site: Server) -> None:
    page.open(f"{site.address}#/runs", width=400, height=800)
    page.wait("document.querySelectorAll('.matrix').length === 1")
    page.wait("document.querySelectorAll('.dots-plot circle').length === 3")
    given = "[...document.querySelectorAll('.matrix thead th')].slice(1).map((one) => one.textContent)"
    assert page.value(given)
    families = page.value(
        "[...document.querySelector('.matrices').parentElement.querySelectorAll('option')].map((one) => one.value)"
    )
    for family in families:
        set_value(page, "section:has(.matrices) select", family, "change")
        page.wait(f"location.hash.includes(encodeURIComponent('{family}'))")
        assert page.value("document.querySelectorAll('.matrix .cell').length") > 0
    assert page.value("document.documentElement.scrollWidth") <= 400


def test_keys_step_through_answers_in_the_list_and_from_set_to_set(page: Page, site: Server) -> None:
    page.open(f"{site.address}#/runs?wrong=")
    page.wait(f"{LISTED} > 2")
    asked = page.value("[...document.querySelectorAll('.questions a')].map((one) => one.href.split('question=')[1])")
    for key, at in (("j", 0), ("j", 1), ("j", 2), ("k", 1)):
        press(page, key)
        page.wait(f"document.activeElement === document.querySelectorAll('.questions a')[{at}]")
    press(page, "Enter")
    page.wait(f"document.querySelector('.listed')?.textContent.includes('answer 2 of {len(asked)}')")
    for key, at in (("j", 2), ("k", 1), ("k", 0), ("k", 0)):
        press(page, key)
        page.wait(f"document.querySelector('.sought')?.id === 'question-{asked[at]}'")
        page.wait(f"document.querySelector('.listed').textContent.includes('answer {at + 1} of')")


@pytest.mark.parametrize(
    ("where", "shown"),
    [
        ("#/runs", f"{LISTED} > 0"),
        ("#/browse/0", f"{CARDS} > 0"),
        ("#/set/0/1?layers=numbers,hidden", "document.querySelectorAll('.stage').length > 4"),
        ("#/set/1/1?run=mass_0_5", "document.querySelectorAll('.whatif input').length > 1"),
        ("phyre/", "document.querySelectorAll('nav button').length > 0"),
        ("phyq/", "document.querySelectorAll('.templates button').length > 0"),
    ],
    ids=["runs", "browse", "set", "drawn-set", "phyre", "phyq"],
)
def test_pages_fit_a_small_window_and_everyone(page: Page, site: Server, where: str, shown: str) -> None:
    """No sideways scrolling, and nothing serious that axe-core finds."""
    page.open("about:blank")
    page.open(f"{site.address}{where}", width=400, height=800)
    page.wait(shown)
    assert page.value("document.documentElement.scrollWidth") <= 400
    assert grave_findings(page) == []


def test_words_of_a_dataset_never_become_markup(page: Page, site: Server) -> None:
    page.open(f"{site.address}#/set/1/1?run=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E")
    page.wait("document.querySelector('[role=alert]')?.textContent.includes('<img src=x')")
    assert page.value("document.querySelectorAll('[role=alert] img').length") == 0

"""What tests of the explorer's pages look at and do."""

from typing import Final

from tests.support.chromium import Page

COUNT: Final = "document.querySelector('.count')?.textContent"
CARDS: Final = "document.querySelectorAll('.card').length"
CLOCK: Final = "document.querySelector('.clock')?.textContent"
LISTED: Final = (
    "(document.title === 'Runs · comphy' ? document.querySelectorAll('.questions .asked a').length : 0)"  # answers
)
NAMELESS: Final = """[...document.querySelectorAll('button, a, input, select, [role=button]')]
  .filter((one) => one.checkVisibility())
  .filter((one) => !(one.ariaLabel || one.textContent.trim() || one.labels?.length || one.title))
  .map((one) => one.outerHTML)"""


def press(page: Page, key: str) -> None:
    """As if typed: the page gets the key where its focus is."""
    page.key(key, "\r" if key == "Enter" else key if len(key) == 1 else "")


def set_value(page: Page, selector: str, value: str, event: str) -> None:
    page.value(
        f"(one => {{ one.value = '{value}'; one.dispatchEvent(new Event('{event}')) }})"
        f"(document.querySelector(`{selector}`))"
    )


def darkness(page: Page, selector: str) -> int:
    """How many pixels of a canvas are painted and dark."""
    return int(
        page.value(
            f"(c => [...c.getContext('2d').getImageData(0, 0, c.width, c.height).data]"
            f".filter((_, k, all) => k % 4 === 0 && all[k + 3] > 200 && all[k] < 110).length)"
            f"(document.querySelector('{selector}'))"
        )
    )

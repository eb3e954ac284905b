"""What axe-core finds wrong with a page for people who use a screen reader, a keyboard, or little contrast."""

import json
from importlib.resources import files

from tests.support.chromium import Page

# The published rules, and experimental ones, of which some have since become published.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice", "experimental"]
GRAVE = ("serious", "critical")
_RUN = """axe.run({runOnly: RULES, resultTypes: ['violations']}).then(({violations}) => violations
  .filter(({impact}) => GRAVE.includes(impact))
  .map(({id, help, nodes}) => `${id}: ${help}: ${nodes[0].html}`))"""


def grave_findings(page: Page) -> list[str]:
    """In light and in dark colours, with all that is folded opened."""
    page.value((files("axe_core_python") / "axe.min.js").read_text() + ";0")
    page.value("document.querySelectorAll('details').forEach((one) => { one.open = true })")
    run = _RUN.replace("RULES", json.dumps(RULES)).replace("GRAVE", json.dumps(GRAVE))
    found = []
    for scheme in ("light", "dark"):
        page.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        result = page.send("Runtime.evaluate", expression=run, awaitPromise=True, returnByValue=True)["result"]
        assert isinstance(result.get("value"), list), result
        found += [f"{scheme}: {words}" for words in result["value"]]
    page.send("Emulation.setEmulatedMedia", features=[])
    return found

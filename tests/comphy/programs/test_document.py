"""The page about the language is generated; the committed one must be up to date."""

import subprocess
import sys
from pathlib import Path

from comphy.programs.document import programs_page
from comphy.programs.ops import ALIASES, OPS
from comphy.programs.types import LITERALS

PAGE = Path(__file__).parents[3] / "docs" / "programs.md"


def test_the_committed_page_is_up_to_date():
    assert PAGE.read_text() == programs_page(), "run: python -m comphy.programs.document docs/programs.md"


def test_the_page_tells_of_every_operator_and_word():
    page = programs_page()
    assert all(f"| `{name}` |" in page for name in OPS)
    assert all(f"`{word}`" in page for word in (*ALIASES, *LITERALS))


def test_the_command_writes_the_page(tmp_path: Path):
    page = tmp_path / "new" / "programs.md"
    subprocess.run([sys.executable, "-m", "comphy.programs.document", str(page)], check=True, cwd=PAGE.parents[1])
    assert page.read_text() == programs_page()

"""The Python examples of the documents run as they are printed."""

import re
from pathlib import Path

import pytest

NEEDS_DETECTRON2 = "detectron2.md"  # its example is tested where detectron2 is installed
ROOT = Path(__file__).parent.parent
EXAMPLES = [
    pytest.param(code, id=f"{path.name}-{number}")
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    if path.name != NEEDS_DETECTRON2
    for number, code in enumerate(re.findall(r"^```python\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL))
]

pytestmark = pytest.mark.bullet


@pytest.mark.parametrize("code", EXAMPLES)
def test_an_example_runs_and_prints(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, "example", "exec"), {})
    assert capsys.readouterr().out

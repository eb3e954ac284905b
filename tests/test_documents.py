"""The documents say what is true: examples run, links lead somewhere, commands and files exist."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from comphy.cli.app import COMMANDS, load_command
from tests.support.quick_start import quick_start

ROOT = Path(__file__).parent.parent
PAGES = [
    ROOT / name
    for name in (
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "models/weights/pcr/README.md",
        "models/weights/pcr_full/README.md",
    )
]
PAGES += sorted((ROOT / "docs").rglob("*.md"))
WIDTH = 100
NEEDS_DETECTRON2 = "detectron2.md"  # its example is tested where detectron2 is installed
PACKAGES = ("comphy", "configs", "data_gen", "docs", "examples", "models", "tests", "tools")
SECTION_OF_OLD_NAMES = "CHANGELOG.md"

EXAMPLES = [
    pytest.param(code, id=f"{path.relative_to(ROOT)}-{number}")
    for path in PAGES
    if path.name != NEEDS_DETECTRON2
    for number, code in enumerate(re.findall(r"^```python\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL))
]


def each(pages: list[Path]) -> Any:
    return pytest.mark.parametrize("page", [pytest.param(page, id=str(page.relative_to(ROOT))) for page in pages])


def prose(page: Path) -> str:
    """The page without its blocks of code."""
    return re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """Of a page's headings, as the site and code hosts make them."""
    titles = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


@pytest.mark.bullet
@pytest.mark.parametrize("code", EXAMPLES)
def test_an_example_runs_and_prints(
    code: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "example", "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out


@each(PAGES)
def test_links_and_anchors_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = page.parent / name if name else page
        assert file.is_file(), f"{target}: no such file"
        if anchor:
            assert anchor in anchors(file), f"{target}: no such heading; there are {sorted(anchors(file))}"


@each(PAGES)
def test_lines_are_wrapped(page: Path) -> None:
    long = [line for line in prose(page).splitlines() if len(line) > WIDTH and not line.startswith(("|", "!["))]
    assert not long


@each(PAGES)
def test_nothing_is_still_to_be_filled_in(page: Path) -> None:
    """A name in capitals alone on its line stands for a table or an output that was to be put there."""
    assert re.findall(r"^(?:[A-Z]+(?:_[A-Z]+)+|TODO|TBD)$", page.read_text(), re.MULTILINE) == []


@each([page for page in PAGES if page.name != SECTION_OF_OLD_NAMES])  # it also names files that are gone
def test_files_in_backticks_exist(page: Path) -> None:
    for name in re.findall(r"`([\w./-]+)`", prose(page)):
        inside = name.startswith(tuple(f"{package}/" for package in PACKAGES))
        if inside and "my_" not in name and "NAME" not in name:
            assert (ROOT / name).exists(), f"{name}: no such file or folder"


def test_the_api_pages_name_what_exists() -> None:
    for page in sorted((ROOT / "docs/api").glob("*.md")):
        for name in re.findall(r"^::: ([\w.]+)$", page.read_text(), re.MULTILINE):
            module, _, member = name.rpartition(".")
            if member[0].islower() and (ROOT / f"{name.replace('.', '/')}.py").is_file():
                continue
            source = ROOT / f"{module.replace('.', '/')}.py"
            assert source.is_file(), f"{page.name}: {name} is neither a module nor in one"
            assert re.search(rf"^(class|def) {member}\b", source.read_text(), re.MULTILINE), f"{page.name}: {name}"


def commands(page: Path) -> Iterator[str]:
    """Every command of ours that stands in a block, or in backticks with an argument."""
    text = page.read_text().replace("\\\n", " ")
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [line.strip().removeprefix("$ ") for block in blocks for line in block.splitlines()]
    # Every span in backticks is taken, lest the end of one without an argument counts as the beginning of the next.
    lines += [code.replace("\n", " ") for code in re.findall(r"`([^`]+)`", re.sub(r"```.*?```", "", text, flags=re.S))]
    for line in lines:
        if re.match(r"(comphy|(\.venv/bin/)?(python|comphy) tools/\w+\.py) ", line):
            yield line


COMMAND_LINES = [
    pytest.param(line, id=f"{page.relative_to(ROOT)}: {line[:60]}") for page in PAGES for line in commands(page)
]


@pytest.mark.parametrize("line", COMMAND_LINES)
def test_commands_and_their_options_exist(line: str) -> None:
    words = shlex.split(re.sub(r"\s#.*", "", line).replace("…", ""))
    name = words[1] if words[0] == "comphy" else Path(words[1]).stem
    if words[0] != "comphy":
        assert (ROOT / words[1]).is_file()
    if name not in COMMANDS:
        assert name.startswith("-") or words[0] != "comphy", f"comphy has no command {name}"
        return
    command, rest = load_command(name), words[2:]
    if name in ("phyre", "phyq"):
        group: Any = command
        assert rest and rest[0] in group.commands, f"comphy {name} has no command {rest[:1]}"
        command, rest = group.commands[rest[0]], rest[1:]
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    for word in rest:
        if re.match(r"--?[a-z]", word):
            assert word in known | {"--help"}, f"{word}: {name} has no such option; it has {sorted(known)}"


@pytest.mark.slow
@pytest.mark.bullet
def test_the_quick_start_of_the_readme_runs(quick_started: Path) -> None:
    """No object of this set is charged."""
    assert [words[0] for words in quick_start()] == ["demo", "ask"]
    assert "is sound" in (quick_started / "demo.txt").read_text()
    assert "No, there is none." in (quick_started / "ask.txt").read_text()
    answered = (quick_started / "demo/site/data/api/sources/0/sets/0/ask.js").read_text()
    assert '"question":"What will happen next?"' in answered and '"reply"' in answered and ".mp4" in answered


def test_the_site_uses_nothing_from_outside() -> None:
    text = (ROOT / "mkdocs.yml").read_text()
    assert "font: false" in text and "http" not in text.replace("http.server", "")
    assert "mermaid" not in "".join(page.read_text() for page in PAGES if page.name != "decisions.md")


def test_the_readme_fits() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 120
    assert (ROOT / "docs/pictures/explorer.webp").stat().st_size < 1_500_000
    assert (ROOT / "docs/pictures/showcase.gif").stat().st_size < 2_000_000


@pytest.mark.slow
def test_the_site_builds_strictly(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    assert (tmp_path / "index.html").is_file()

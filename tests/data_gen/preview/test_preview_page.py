"""The page: links that resolve, nothing fetched from elsewhere; and the command that writes it."""

import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest

from comphy.dataset import layout
from data_gen.preview.page import write_page
from data_gen.preview.scene import PreviewSet
from data_gen.preview.write import Preview

pytestmark = pytest.mark.bullet


class Links(HTMLParser):
    """Collects every link, and every tag with its attributes."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def links(self) -> list[str]:
        return [str(value) for _, a in self.tags for key, value in a.items() if key in ("href", "src", "poster")]

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.tags)


@pytest.fixture(scope="module")
def page(filmed_dataset: Path, preview: Preview) -> Path:
    return write_page(filmed_dataset, filmed_dataset / "preview", [preview])


def check_links(page: Path) -> None:
    parsed = Links(page)
    identifiers = {a["id"] for _, a in parsed.tags if "id" in a}
    assert parsed.links()
    for link in parsed.links():
        address = urlparse(link)
        assert not address.scheme and not address.netloc and not link.startswith("/"), f"{link} is not relative"
        if link.startswith("#"):
            assert address.fragment in identifiers
        else:
            assert (page.parent / unquote(address.path)).is_file(), f"{link} leads nowhere"


def test_links_resolve(page: Path):
    check_links(page)


def test_videos_play_inline_and_are_not_copied(page: Path, filmed_dataset: Path):
    videos = [a for tag, a in Links(page).tags if tag == "video"]
    assert len(videos) == 1 + 4 + 1
    for attributes in videos:
        assert {"controls", "muted", "loop", "playsinline"} <= attributes.keys()
        assert attributes["preload"] == "metadata"
    assert [path.name for path in (filmed_dataset / "preview").rglob("*.mp4")] == ["clip.mp4"]


def test_page_tells_the_numbers_and_the_objects(page: Path, scene: PreviewSet):
    text = page.read_text()
    for words in ("<dd>1</dd>", "1 train, 0 val, 0 test", "1 charge", "raytrace", *map(str, scene.objects)):
        assert words in text
    assert "prefers-color-scheme: dark" in text and 'name="viewport"' in text
    assert "http" not in text and "<script" not in text


def test_pictures_have_descriptions(page: Path):
    pictures = [a for tag, a in Links(page).tags if tag == "img"]
    assert len(pictures) == 2 and all(a["alt"] for a in pictures)


def test_dataset_without_videos_shows_pictures_only(small_dataset: Path, preview: Preview, tmp_path: Path):
    page = write_page(small_dataset, tmp_path / "elsewhere", [preview])
    check_links(page)
    assert Links(page).count("video") == 1
    assert "none (trajectories only)" in page.read_text()


def test_dataset_is_still_sound_beside_its_page(page: Path, filmed_dataset: Path):
    listed = {str(path) for path in layout.set_files(3, rendered=True)}
    written = {str(path.relative_to(filmed_dataset)) for path in page.parent.rglob("*") if path.is_file()}
    assert not written & listed and all(name.startswith("preview/") for name in written)


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "tools/preview.py", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


@pytest.mark.slow
def test_command_writes_a_page(filmed_dataset: Path, tmp_path: Path):
    result = run(filmed_dataset, "--page", "--out", tmp_path / "site")
    assert result.returncode == 0, result.stderr
    printed = [Path(line) for line in result.stdout.splitlines() if line.startswith("/")]
    assert [path.relative_to(tmp_path / "site").as_posix() for path in printed] == [
        "00003/sheet.png",
        "00003/clip.mp4",
        "00003/top.png",
        "index.html",
    ]
    assert all(path.is_file() for path in printed)
    check_links(tmp_path / "site" / "index.html")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere", "0"), "error: nowhere: no such folder."),
        (("{filmed}", "0"), "no set 0 in this dataset. It holds set 3."),
        (("{filmed}",), "Expected the number of a set"),
        (("{filmed}", "3", "--out", "{filmed}/README.md"), "a file is in the way of a folder. Choose another --out"),
        (("{filmed}", "3", "--render", "none"), "Choose raytrace or blender"),
    ],
)
def test_command_errors_are_messages(filmed_dataset: Path, arguments: tuple[str, ...], message: str):
    result = run(*(argument.format(filmed=filmed_dataset) for argument in arguments))
    assert result.returncode == 1
    assert message in result.stderr and "Traceback" not in result.stderr

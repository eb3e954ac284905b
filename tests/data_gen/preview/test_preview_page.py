"""The page: links that resolve, nothing fetched from elsewhere; and the command that writes it."""

import json
import re
import shutil
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import pytest

from comphy.dataset import layout
from comphy.dataset.sources.opening import open_source
from comphy.questions.model import Choice, Question, QuestionKind
from data_gen.preview.loading import load_set
from data_gen.preview.pages.page import write_page
from data_gen.preview.pages.questions import question_list
from data_gen.preview.pictures.write import Preview
from data_gen.preview.questions import Evidence, SetQuestions, ShownQuestion, show_questions
from data_gen.preview.scene import PreviewSet
from data_gen.preview.trace import Trace
from tests.support.commands import Result, comphy

pytestmark = [pytest.mark.bullet, pytest.mark.slow]

FILMED = 3


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
    assert "http" not in text and "<script " not in text, "nothing is fetched from elsewhere"


def questions_of(root: Path) -> list[dict[str, Any]]:
    """The records of the filmed set's questions, as they stand on disk."""
    scenes = json.loads((root / "train.json").read_text())
    return next(scene["questions"] for scene in scenes if scene["scene_index"] == FILMED)


def test_page_shows_each_question_with_its_answer_and_trace(page: Path, filmed_dataset: Path):
    text = page.read_text()
    records = questions_of(filmed_dataset)
    assert records and Links(page).count("details") == len(records)
    for record in records:
        assert escape(record["question"]) in text
        if "answer" in record:
            assert f'Answer: <span class="correct">{record["answer"]}</span>' in text
        assert f"<code>{' '.join(record['program'])}</code>" in text


@pytest.mark.parametrize("index", range(4))
def test_choices_are_marked_by_words(small_dataset: Path, index: int):
    scene = load_set(open_source(small_dataset), index)
    asked = show_questions(open_source(small_dataset), [index])[index]
    items = re.findall(r'<span class="verdict[^"]*">(.) (\w+)</span><span>', question_list(asked, scene, "clip.mp4"))
    rights = [choice.correct for shown in asked.questions for choice in shown.question.choices]
    assert items == [("✓", "correct") if right else ("✗", "wrong") for right in rights]


def test_words_from_files_are_escaped(scene: PreviewSet):
    hostile = "<b>&</b>"
    choice = Choice(0, hostile, (), None)
    question = Question(0, QuestionKind.PREDICTIVE, hostile, (hostile,), choices=(choice,))
    shown = ShownQuestion(question, hostile, Trace(), (Evidence("target", 3, hostile),), hostile, hostile, hostile)
    html = question_list(SetQuestions((shown,), hostile), scene, "clip.mp4")
    assert html.count("&lt;b&gt;&amp;&lt;/b&gt;") == 6 and hostile not in html
    assert "unknown" in html


def test_page_says_in_a_line_that_there_are_no_questions(filmed_dataset: Path, preview: Preview, tmp_path: Path):
    asked = {FILMED: SetQuestions(remark="No questions: this dataset has none of the split train.")}
    page = write_page(open_source(filmed_dataset), tmp_path, [preview], asked)
    assert '<p class="muted">No questions: this dataset has none of the split train.</p>' in page.read_text()
    assert Links(page).count("details") == 0


def test_chips_lead_to_their_frame_in_the_clip(page: Path, filmed_dataset: Path):
    notes = json.loads((filmed_dataset / "extras" / "questions" / "train.json").read_text())
    of_set = next(scene["questions"] for scene in notes if scene["scene_index"] == FILMED)
    proofs = [proof for note in of_set for proof in note["evidence"]]
    chips = [a for tag, a in Links(page).tags if tag == "a" and a.get("class") == "chip"]
    # In the clip, 125 frames of the target come first; each reference has a title of 20 frames and 50 of its own.
    starts = {"target": 0} | {f"reference_{k}": 125 + 70 * k + 20 for k in range(4)}
    expected = [starts[proof["video"]] + proof["frame"] for proof in proofs]
    assert proofs and [int(float(str(chip["data-seconds"])) * 25) for chip in chips] == expected
    for chip in chips:
        assert chip["href"] == f"00003/clip.mp4#t={chip['data-seconds']}"


def test_pictures_have_descriptions(page: Path):
    pictures = [a for tag, a in Links(page).tags if tag == "img"]
    assert len(pictures) == 2 and all(a["alt"] for a in pictures)


def test_dataset_without_videos_shows_pictures_only(small_dataset: Path, preview: Preview, tmp_path: Path):
    page = write_page(
        open_source(small_dataset),
        tmp_path / "elsewhere",
        [preview],
        show_questions(open_source(small_dataset), [FILMED]),
    )
    check_links(page)
    assert Links(page).count("video") == 1
    assert "none (trajectories only)" in page.read_text()


def test_dataset_is_still_sound_beside_its_page(page: Path, filmed_dataset: Path):
    listed = {str(path) for path in layout.set_files(3, rendered=True)}
    written = {str(path.relative_to(filmed_dataset)) for path in page.parent.rglob("*") if path.is_file()}
    assert not written & listed and all(name.startswith("preview/") for name in written)


def run(*arguments: object) -> Result:
    return comphy("preview", *arguments)


@pytest.mark.slow
@pytest.mark.usefixtures("small_clips")
def test_command_writes_a_page(filmed_dataset: Path, tmp_path: Path):
    result = run(filmed_dataset, "--page", "--out", tmp_path / "site")
    assert result.returncode == 0, result.stderr
    lines = (line.removeprefix("file://") for line in result.stdout.splitlines())
    printed = [Path(line) for line in lines if line.startswith("/")]
    assert [path.relative_to(tmp_path / "site").as_posix() for path in printed] == [
        "00003/sheet.png",
        "00003/clip.mp4",
        "00003/top.png",
        "index.html",
    ]
    assert all(path.is_file() for path in printed)
    check_links(tmp_path / "site" / "index.html")


@pytest.mark.slow
@pytest.mark.usefixtures("small_clips")
def test_command_prints_the_questions_after_the_paths(filmed_dataset: Path, tmp_path: Path):
    result = run(filmed_dataset, FILMED, "--out", tmp_path / "set")
    assert result.returncode == 0, result.stderr
    assert {path.name for path in (tmp_path / "set").iterdir()} == {"sheet.png", "clip.mp4", "top.png"}
    paths, questions = result.stdout.split("top.png", 1)
    assert "sheet.png" in paths and "What" not in paths
    for question in questions_of(filmed_dataset):
        assert question["question"] in " ".join(questions.split())


def test_command_prints_questions_and_draws_nothing(filmed_dataset: Path, tmp_path: Path):
    result = run(filmed_dataset, "--questions", "--out", tmp_path / "pictures")
    assert result.returncode == 0, result.stderr
    assert not (tmp_path / "pictures").exists()
    words = " ".join(result.stdout.split())
    for question in questions_of(filmed_dataset):
        assert question["question"] in words


def test_command_works_without_questions(small_dataset: Path, tmp_path: Path):
    copy = Path(shutil.copytree(small_dataset, tmp_path / "copy"))
    (copy / "train.json").unlink()
    result = run(copy, 1, "--questions")
    assert result.returncode == 0, result.stderr
    assert "No questions: this dataset has none of the split train." in result.stdout.splitlines()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere", "0"), "error: nowhere: no such folder."),
        (("{filmed}", "0"), "no set 0 in this dataset. It holds set 3."),
        (("{filmed}",), "Expected the number of a set"),
        (("{filmed}", "--page", "--questions"), "Expected --questions or --page, not both"),
        (("{filmed}", "3", "--out", "{filmed}/README.md"), "a file is in the way of a folder. Choose another --out"),
    ],
)
def test_command_errors_are_messages(filmed_dataset: Path, arguments: tuple[str, ...], message: str):
    result = run(*(argument.format(filmed=filmed_dataset) for argument in arguments))
    assert result.returncode == 1
    assert message in result.stderr and "Traceback" not in result.stderr

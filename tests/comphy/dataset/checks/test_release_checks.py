"""What `comphy check` finds in folders that the toolkit did not make."""

import json
import shutil
from pathlib import Path

import pytest

from comphy.choices import ExportAs
from comphy.dataset.checks.release import Findings, check_source
from comphy.dataset.sources.opening import open_source
from comphy.questions.model import QuestionKind
from tests.support.commands import comphy

pytestmark = [pytest.mark.bullet, pytest.mark.slow]


@pytest.fixture
def copied(exports: dict[ExportAs, Path], tmp_path: Path) -> Path:
    return Path(shutil.copytree(exports[ExportAs.COMPHY_A], tmp_path / "copy"))


def problems(root: Path) -> tuple[list[str], Findings]:
    findings = Findings()
    return [str(problem) for problem in check_source(open_source(root), findings)], findings


@pytest.mark.parametrize("chosen", ExportAs)
def test_an_export_has_no_problems_and_its_answers_follow(exports: dict[ExportAs, Path], chosen: ExportAs) -> None:
    found, findings = problems(exports[chosen])
    assert not found and findings.sets == {"train": 4, "val": 1, "test": 1} and not findings.skipped
    assert findings.answers[True] > 0 and findings.answers[False] == 0


def test_what_is_wrong_is_named(copied: Path) -> None:
    video = copied / "target_video" / "video_00000_01000" / "sim_00001.mp4"
    video.write_bytes(b"no video")
    path = copied / "reference_annotation" / "annotation_00000_01000" / "00002" / "0.json"
    record = json.loads(path.read_text())
    for spec in record["object_property"]:
        spec["color"] = "purple" if spec["color"] != "purple" else "cyan"
    path.write_text(json.dumps(record))
    (copied / "target_annotation" / "annotation_00000_01000" / "00003.json").write_text("{")
    found, _ = problems(copied)
    assert any(one.startswith("set 1: ") and "sim_00001.mp4: not a readable video" in one for one in found)
    assert any(one.startswith("set 2: ") and "which the target does not have" in one for one in found)
    assert any(one.startswith("set 3: ") and "not valid JSON" in one for one in found)
    assert {one.split(":")[0] for one in found} == {"set 1", "set 2", "set 3"}


def test_an_answer_that_the_annotations_deny_is_counted(copied: Path) -> None:
    before = problems(copied)[1].answers
    train = json.loads((copied / "train.json").read_text())
    changed = next(one for scene in train for one in scene["questions"] if one.get("answer") in ("yes", "no"))
    changed["answer"] = "no" if changed["answer"] == "yes" else "yes"
    (copied / "train.json").write_text(json.dumps(train))
    after = problems(copied)[1]
    assert after.answers[False] == before[False] + 1
    assert after.questions["train", QuestionKind.FACTUAL] == 12


def test_the_command_tells_what_it_found(exports: dict[ExportAs, Path]) -> None:
    told = comphy("check", exports[ExportAs.CLEVRER])
    assert told.returncode == 0 and "is CLEVRER." in told.stdout
    assert "can be read: 6 sets, 0 problems." in told.stdout and "there is no reference" in told.stdout

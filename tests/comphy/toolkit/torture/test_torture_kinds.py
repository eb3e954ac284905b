"""A seeded sample of each quick kind of torture, and that torture notices what it is there to notice."""

import json
import signal
import zlib
from pathlib import Path
from typing import Any

import pytest

from comphy.choices import Torture
from comphy.dataset.packs.codec import decode
from comphy.errors import DatasetError
from comphy.programs import executor
from comphy.toolkit.torture import mutations, packs, programs
from comphy.toolkit.torture.processes.children import Child, FileOperations
from comphy.toolkit.torture.processes.kills import Reference, judged
from comphy.toolkit.torture.processes.workloads import differences, generation
from comphy.toolkit.torture.run import torture, trial_rng
from comphy.toolkit.torture.tally import Tally
from comphy.toolkit.torture.trial_result import TrialResult


@pytest.mark.parametrize(("kind", "trials"), [(Torture.PROGRAMS, 400), (Torture.PACKS, 150)])
def test_a_sample_is_survived(kind: Torture, trials: int, tmp_path: Path) -> None:
    tally = torture(kind, tmp_path, 1, range(trials))
    assert tally.survived == trials and not tally.failures
    assert len(tally.ways) > 1


def test_a_trial_is_the_same_alone() -> None:
    kind = programs.Programs()
    outcomes = [kind.trial(trial_rng(3, Torture.PROGRAMS, number)) for number in range(30)]
    assert programs.Programs().trial(trial_rng(3, Torture.PROGRAMS, 17)) == outcomes[17]
    assert kind.trial(trial_rng(4, Torture.PROGRAMS, 17)) != outcomes[17]


def test_faults_of_the_executor_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: Any) -> Any:
        raise TypeError("broken")

    monkeypatch.setattr(executor, "HANDLERS", dict.fromkeys(executor.HANDLERS, broken))
    tally, kind = Tally(Torture.PROGRAMS), programs.Programs()
    for number in range(40):
        tally.add(number, kind.trial(trial_rng(0, Torture.PROGRAMS, number)), "again")
    assert tally.traceback and tally.traceback == len(tally.failures)
    assert tally.record()["failures"][0]["repeat"] == "again"


def test_nonsense_in_a_pack_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("comphy.dataset.packs.codec._check_header", lambda *given: None)
    tally = torture(Torture.PACKS, tmp_path, 0, range(60))
    assert tally.different and "visible of 5 frames" in json.dumps(tally.record())


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("visible", 6),
        ("visible", True),
        ("ids", [0]),
        ("ids", [0, None]),
        ("objects", [["red", "cube", "metal", float("nan"), 0], ["blue", "sphere", "rubber", 5.0, 1]]),
        ("collisions", [[3, 4, 0, 2, 0.5, 0.0, 0.1, 0.2]]),
        ("collisions", [[3, 4, 0, 1, "x", 0.0, 0.1, 0.2]]),
        ("collisions", [[3, 4, 0, 1, 0.5]]),
    ],
)
def test_headers_that_no_video_has_are_refused(key: str, value: object) -> None:
    text = json.dumps(packs.header() | {key: value}).encode()
    body = bytes(4 * (5 * 2 * 3 + 5 * 4 + 5 * 2 * 3))
    blob = zlib.compress(len(text).to_bytes(4, "little") + text + body)
    with pytest.raises(DatasetError, match="video 3: the packed trajectory is damaged"):
        decode(blob, "video 3")


@pytest.mark.bullet
@pytest.mark.slow
def test_mutations_are_detected_and_undone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without videos, whose drawing takes long."""
    made = mutations.make_materials
    monkeypatch.setattr(mutations, "make_materials", lambda folder: made(folder, videos=False))
    kind = mutations.Mutations(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    outcomes = [kind.trial(trial_rng(2, Torture.MUTATIONS, number)) for number in range(12)]
    assert [outcome for outcome in outcomes if not outcome.survived] == []
    assert "detected" in {outcome.how for outcome in outcomes}
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.bullet
@pytest.mark.slow
def test_a_killed_command_goes_on_to_the_same_files(tmp_path: Path) -> None:
    """Killed before its third file operation and, run again, before its last."""
    workload = generation(1)
    reference = Reference(workload, tmp_path / "undisturbed")
    out, log = tmp_path / "killed", tmp_path / "killed.log"
    for number in (3, reference.operations):
        assert Child(workload.job, out, log, kill_at=number).ended().code == -signal.SIGKILL
    ended = Child(workload.job, out, log).ended()
    outcome = judged("generate", "killed twice", [ended], reference.files, workload.files(out))
    assert outcome.survived, outcome.told


@pytest.mark.bullet
@pytest.mark.slow
def test_shards_that_race_make_the_same_files(tmp_path: Path) -> None:
    """Two shards of one set, each of them twice."""
    tally = torture(Torture.RACES, tmp_path, 0, [7])
    assert tally.survived == 1, tally.record()


def test_operations_on_files_of_the_folder_are_counted(tmp_path: Path) -> None:
    count = FileOperations(tmp_path, None)
    for event, *given in (
        ("open", f"{tmp_path}/a", "w", 0o1),
        ("open", f"{tmp_path}/a", "r", 0),
        ("open", "/elsewhere", "w", 0o1),
        ("os.rename", f"{tmp_path}/a", f"{tmp_path}/b"),
        ("os.remove", 5),
        ("import", f"{tmp_path}/a"),
    ):
        count(event, tuple(given))
    assert count.count == 2


def test_what_is_lost_and_what_is_different() -> None:
    assert differences({"a": b"1", "b": b"2"}, {"b": b"3", "c": b"4"}) == (["a"], ["b", "c"])
    assert TrialResult("same", "it").survived and not TrialResult("same", "it", lost=True).survived


def test_random_numbers_of_a_trial_depend_on_its_kind() -> None:
    drawn = {trial_rng(0, kind, 0).integers(2**40) for kind in Torture}
    assert len(drawn) == len(Torture)

"""Which steps are done, how long they took, and what a folder that was begun refuses."""

import json
from pathlib import Path

import pytest

from comphy.errors import ConfigError, DatasetError
from comphy.toolkit.reproduction import journal as journal_module
from comphy.toolkit.reproduction.journal import STEPS, Journal, StepRecord

SETTINGS = {"sets": 6, "seeds": [0, 1], "reasoner": {"visible": {"steps": 4}, "prior": 0.02}}


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time in its one entry, in place of the machine's."""
    now = [100.0]
    monkeypatch.setattr(journal_module.time, "monotonic", lambda: now[0])
    return now


def test_a_step_is_done_when_no_error_leaves_it(tmp_path: Path, clock: list[float]) -> None:
    journal = Journal(tmp_path, SETTINGS)
    with journal.timed("generate", "comphy generate"):
        assert Journal(tmp_path, SETTINGS).record("generate") == StepRecord("comphy generate", attempts=1)
        clock[0] += 12.5
    again = Journal(tmp_path, SETTINGS)
    assert again.record("perceive") is None
    assert again.record("generate") == StepRecord("comphy generate", True, 12.5, 1)


@pytest.mark.parametrize("error", [KeyboardInterrupt, DatasetError, SystemExit])
def test_the_time_of_all_attempts_counts(tmp_path: Path, clock: list[float], error: type[BaseException]) -> None:
    with pytest.raises(error), Journal(tmp_path, SETTINGS).timed("train", "comphy train"):
        clock[0] += 3
        raise error
    stopped = Journal(tmp_path, SETTINGS)
    assert stopped.record("train") == StepRecord("comphy train", False, 3.0, 1)
    with stopped.timed("train", "comphy train --workers 2"):
        clock[0] += 4
    assert Journal(tmp_path, SETTINGS).record("train") == StepRecord("comphy train --workers 2", True, 7.0, 2)


def test_other_settings_are_refused_and_named(tmp_path: Path) -> None:
    with Journal(tmp_path, SETTINGS).timed("generate", ""):
        pass
    before = (tmp_path / STEPS).read_bytes()
    other = SETTINGS | {"sets": 12, "reasoner": {"visible": {"steps": 9}, "prior": 0.02}}
    told = r"different: reasoner.visible.steps: 4 there, 9 wanted; sets: 6 there, 12 wanted\. Choose another --out"
    with pytest.raises(ConfigError, match=told):
        Journal(tmp_path, other)
    assert (tmp_path / STEPS).read_bytes() == before
    assert Journal(tmp_path, json.loads(json.dumps(SETTINGS))).record("generate") is not None


def test_more_differences_than_fit_are_counted(tmp_path: Path) -> None:
    Journal(tmp_path, {str(number): 0 for number in range(12)})
    with pytest.raises(ConfigError, match=r"; and 4 more\. Choose"):
        Journal(tmp_path, {str(number): 1 for number in range(12)})

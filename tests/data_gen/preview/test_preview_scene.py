"""What previews read: numbering by the target, comparison of worlds, and every way a dataset can be unusable."""

import shutil
from collections import Counter
from pathlib import Path

import pytest

from comphy.choices import RendererName
from comphy.dataset import layout
from comphy.dataset.sources.opening import open_source
from comphy.errors import ComphyError, ConfigError, DatasetError
from comphy.scene.events import EventKind
from comphy.scene.objects import Change, HiddenProperty
from data_gen.preview.loading import load_set
from data_gen.preview.phrases import Words, consequence, event_phrase, premise
from data_gen.preview.pictures.frames import open_videos
from data_gen.preview.pictures.write import prepare_folder
from data_gen.preview.scene import PreviewSet, Run, parse_change, ranges

pytestmark = pytest.mark.bullet


def test_references_speak_in_the_numbers_of_the_target(scene: PreviewSet):
    for reference in scene.references:
        for number, spec in zip(reference.numbers, reference.objects, strict=True):
            assert spec.appearance == scene.objects[number].appearance
        assert all(set(event.objects) <= set(reference.numbers) for event in reference.events)
    assert any(reference.numbers != tuple(range(len(reference.numbers))) for reference in scene.references)


def test_runs_compare_collisions_by_pair():
    heavier = Change(1, HiddenProperty.MASS, 5.0)
    run = Run(heavier, real=Counter({(0, 1): 2, (1, 2): 1}), collisions=Counter({(0, 1): 1, (0, 2): 3}))
    assert (run.gained(), run.lost(), run.recounted()) == ([(0, 2)], [(1, 2)], [(0, 1)])
    assert premise(run.change) == "heavy"
    words = [part.text if isinstance(part, Words) else part for part in consequence(run)]
    assert words == ["+", 0, 2, "−", 1, 2, "·", 0, 1, "1× instead of 2×"]


def test_hidden_collisions_do_not_count_as_lost(small_dataset: Path):
    """In set 1 objects 0 and 1 meet only after the video ends; runs end with it, and have nothing to lose there."""
    loaded = load_set(open_source(small_dataset), 1)
    late = [e for e in loaded.target.events if e.kind is EventKind.COLLISION and e.frame >= 125]
    assert late, "the premise of this test: a collision in the hidden future"
    assert not any(e.objects in run.lost() for e in late for run in loaded.runs)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (Change(0, HiddenProperty.MASS, 1.0), "light"),
        (Change(0, HiddenProperty.CHARGE, 0), "uncharged"),
        (Change(0, HiddenProperty.CHARGE, -1), "charged −"),
    ],
)
def test_names_of_runs_are_read_back(change: Change, words: str):
    assert parse_change(change.key) == change
    assert premise(change) == words


def test_events_are_told_in_words(scene: PreviewSet):
    event = next(e for e in scene.target.events if e.kind is EventKind.ATTRACTION)
    first, second = event.objects
    assert event_phrase(event, scene.objects) == [
        first,
        Words(f"{scene.objects[first]} and"),
        second,
        Words(f"{scene.objects[second]} attract"),
    ]


@pytest.mark.parametrize(
    ("indices", "words"),
    [([], "no sets"), ([4], "set 4"), (list(range(200)), "sets 0-199"), ([0, 1, 2, 5, 8, 9], "sets 0-2, 5, 8-9")],
)
def test_ranges(indices: list[int], words: str):
    assert ranges(indices) == words


def test_unknown_set_names_those_that_exist(small_dataset: Path):
    with pytest.raises(DatasetError, match=r"no set 17 in this dataset\. It holds sets 0-3\."):
        load_set(open_source(small_dataset), 17)


@pytest.mark.parametrize("path", [layout.rollouts(2), layout.extras(2)])
def test_missing_file_is_named(small_dataset: Path, tmp_path: Path, path: Path):
    root = Path(shutil.copytree(small_dataset, tmp_path / "copy"))
    (root / path).unlink()
    with pytest.raises(DatasetError, match=rf"{path.name}: the file is missing\. .*[Mm]ake the set again"):
        load_set(open_source(root), 2)


def test_unknown_run():
    with pytest.raises(DatasetError, match="Expected a counterfactual run such as 'mass_0_5'"):
        parse_change("spin_0_5")


def test_renderer_none_draws_nothing(small_dataset: Path):
    with (
        pytest.raises(ConfigError, match="Choose raytrace or blender"),
        open_videos(open_source(small_dataset), RendererName.NONE),
    ):
        pass


def test_file_in_the_way_of_the_output(tmp_path: Path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(ComphyError, match=r"a file is in the way of a folder\. Choose another --out"):
        prepare_folder(tmp_path / "taken" / "preview")


def test_output_not_writable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(tmp_path))

    monkeypatch.setattr(Path, "mkdir", refuse)  # a superuser, as in containers, is never refused
    with pytest.raises(ComphyError, match=r"not writable \(Permission denied\)\. Choose another --out"):
        prepare_folder(tmp_path / "closed")

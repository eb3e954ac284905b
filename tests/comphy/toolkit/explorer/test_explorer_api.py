"""What pages get of a dataset, held against its files."""

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from comphy.dataset import layout
from comphy.errors import DatasetError
from comphy.toolkit.explorer.library import Library
from comphy.toolkit.explorer.serving.server import Server
from tests.support.site import request, serving

pytestmark = pytest.mark.bullet


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("cache")
        patch.setenv("XDG_CACHE_HOME", str(folder))
        yield folder


@pytest.fixture(scope="module")
def site(small_dataset: Path, six_rendered: Path, cache: Path) -> Iterator[Server]:
    with serving(small_dataset, six_rendered) as server:
        yield server


def read(root: Path, path: object) -> Any:
    return json.loads((root / str(path)).read_text())


def test_sources_are_listed(site: Server) -> None:
    answer = request(site, "/api/sources").json
    assert [(one["sets"], one["has_videos"]) for one in answer["sources"]] == [(4, False), (6, True)]
    assert answer["colors"]["red"] == [173, 35, 35]


def test_the_catalogue_tells_what_the_files_say(site: Server, small_dataset: Path, cache: Path) -> None:
    rows = request(site, "/api/sources/0/catalogue").lines
    assert [row["i"] for row in rows] == [0, 1, 2, 3]
    for row in rows:
        extras = read(small_dataset, layout.extras(row["i"]))
        assert (row["s"], row["f"]) == (extras["split"], extras["family"])
        assert row["e"] == Counter(one["kind"] for one in extras["target"]["events"] if one["frame"] < 125)
        annotation = read(small_dataset, layout.target_annotation(row["i"]))
        assert [one[0] for one in row["o"]] == [one["color"] for one in annotation["object_property"]]
    assert request(site, "/api/sources/0/catalogue?from=3").lines == rows[3:]
    assert len(list((cache / "comphy" / "catalogues").glob("*.jsonl"))) == 1
    assert list(Library([small_dataset]).source(0).catalogue.lines()) != [], "from the cache"


def test_a_half_written_set_is_told_and_the_others_go_on(small_dataset: Path, tmp_path: Path) -> None:
    root = tmp_path / "data"
    shutil.copytree(small_dataset, root)
    (root / layout.extras(2)).write_text('{"schema_version":1,')
    with (root / layout.MANIFEST).open("a") as manifest:
        manifest.write("\n")  # another dataset than that of the kept catalogue
    with serving(root) as server:
        rows = request(server, "/api/sources/0/catalogue").lines
        assert ["error" in row for row in rows] == [False, False, True, False]
        answer = request(server, "/api/sources/0/sets/2")
        assert (answer.status, "00002.json" in answer.json["error"]) == (400, True)
        assert request(server, "/api/sources/0/sets/3").status == 200


def test_questions_are_found_by_their_words(site: Server, small_dataset: Path) -> None:
    asked = {scene["scene_index"]: scene["questions"] for scene in read(small_dataset, "train.json")}
    word = asked[1][0]["question"].split()[-1].strip("?")
    having = [index for index, of in asked.items() if any(word in one["question"].lower() for one in of)]
    assert request(site, f"/api/sources/0/search?words={word.upper()}").json["sets"] == having
    assert request(site, "/api/sources/0/search?words=zebra").json["sets"] == []
    families = request(site, "/api/sources/0/questions").json["families"]
    assert families["factual"] == 4
    family = next(one for one, count in families.items() if count < 4)
    assert len(request(site, f"/api/sources/0/search?family={family}").json["sets"]) == families[family]


def test_a_set_is_told_in_full(site: Server, small_dataset: Path) -> None:
    found = request(site, "/api/sources/0/sets/1").json
    extras, annotation = read(small_dataset, layout.extras(1)), read(small_dataset, layout.target_annotation(1))
    target = found["videos"][0]
    assert found["neighbours"] == [0, 2]
    assert request(site, "/api/sources/0/sets/3").json["neighbours"] == [2, None]
    assert [video["name"] for video in found["videos"]] == ["target", *(f"reference_{k}" for k in range(4))]
    assert (target["visible"], target["frames"], target["file"]) == (125, 175, False)
    motion = [[one["location"] for one in frame["objects"]] for frame in annotation["motion_trajectory"]]
    assert np.allclose(target["positions"], motion, atol=2e-3)
    assert np.allclose(target["boxes"], np.array(extras["target"]["boxes"])[:125], atol=0.06)
    assert [event["frame"] for event in target["events"]] == [one["frame"] for one in extras["target"]["events"]]
    assert {run["key"] for run in found["runs"]} == set(extras["counterfactuals"])
    texts = next(one for one in read(small_dataset, "train.json") if one["scene_index"] == 1)["questions"]
    assert [one["text"] for one in found["questions"]] == [one["question"] for one in texts]
    assert all(one["steps"] for one in found["questions"])


def test_a_counterfactual_run_moves_as_its_collisions_say(site: Server, small_dataset: Path) -> None:
    runs = read(small_dataset, layout.extras(1))["counterfactuals"]
    for key, events in runs.items():
        told = request(site, f"/api/sources/0/sets/1/runs/{key}").json
        assert [(one["frame"], one["objects"]) for one in told["collisions"]] == [
            (one["frame"], one["objects"]) for one in events
        ]
    assert request(site, "/api/sources/0/sets/1/runs/mass_9_5").status == 400


def test_parts_of_videos_are_served(site: Server, six_rendered: Path) -> None:
    whole = (six_rendered / layout.target_video(2)).read_bytes()
    part = request(site, "/media/1/2/target.mp4", Range="bytes=100-299")
    assert (part.status, part.content) == (206, whole[100:300])
    assert part.headers["content-range"] == f"bytes 100-299/{len(whole)}"
    assert request(site, "/media/1/2/reference_3.mp4").headers["content-type"] == "video/mp4"


def test_a_poster_is_a_frame_of_the_video(site: Server) -> None:
    answer = request(site, "/media/1/0/poster.jpg?frame=30")
    assert Image.open(BytesIO(answer.content)).size == (96, 64)
    assert request(site, "/media/1/0/poster.jpg?frame=x").status == 400


def test_a_video_that_does_not_decode_is_told(six_rendered: Path, tmp_path: Path) -> None:
    root = tmp_path / "data"
    shutil.copytree(six_rendered, root)
    (root / layout.target_video(0)).write_bytes(b"no video")
    with serving(root) as server:
        answer = request(server, "/media/0/0/poster.jpg")
        assert (answer.status, "not a readable video" in answer.json["error"]) == (400, True)


@pytest.mark.parametrize(
    "path",
    [
        "/api/sources/7/catalogue",
        "/api/sources/0/sets/99",
        "/media/0/0/target.mp4",
        "/media/1/99/target.mp4",
        "/media/1/0/reference_4.mp4",
        "/media/1/0/..%2F..%2Fmanifest.mp4",
        "/media/1/0/%2Fetc%2Fpasswd.mp4",
    ],
)
def test_what_is_not_there_is_not_found(site: Server, path: str) -> None:
    answer = request(site, path)
    assert (answer.status, bool(answer.json["error"])) == (404, True)


def test_a_folder_that_is_no_source_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="expected a source of video sets"):
        Library([tmp_path])

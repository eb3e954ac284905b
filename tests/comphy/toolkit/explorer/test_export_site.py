"""The explorer as files: which sets, where to, and that a page without a server is told what the server would tell it."""

import json
from pathlib import Path
from typing import Any

import pytest

from comphy.errors import ConfigError, DatasetError
from comphy.toolkit.explorer.export.bundle import Bundle
from comphy.toolkit.explorer.export.choosing import read_sets
from comphy.toolkit.explorer.export.exporting import export_sets
from tests.support.commands import comphy
from tests.support.site import request, serving

pytestmark = pytest.mark.bullet

DIFFERENT = {"neighbours", "asked", "simulated", "exported", "answerers", "sets"}  # keys of what a site has of its own


@pytest.mark.parametrize(
    ("text", "sets"), [("3", [3]), ("0-4,9", [0, 1, 2, 3, 4, 9]), (" 7, 2-3,2 ", [2, 3, 7]), ("5-5", [5])]
)
def test_sets_are_numbers_and_ranges(text: str, sets: list[int]) -> None:
    assert read_sets(text) == sets


@pytest.mark.parametrize("text", ["", "4-2", "-1", "a", "1,,2", "1.5", "0-999999999"])
def test_other_words_for_sets_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match=r"got .* for --sets"):
        read_sets(text)


def test_modules_become_one_script_in_the_order_of_their_imports() -> None:
    modules = {
        "main.js": 'import { b } from "./deep/b.js";\nimport { a } from "./a.js";\nlog(a, b);\n',
        "deep/b.js": 'import { a } from "../a.js";\nexport const b = () => a;\n',
        "a.js": "throw 0;\n",
        "file.js": "export class a {}\n",
    }
    script = Bundle(modules, {"a.js": "file.js"}).script("main.js")
    assert script.count("class a {}") == 1 and "throw" not in script and "export" not in script
    assert script.index("class a") < script.index("const b = () => a;") < script.index("log(a, b)")


@pytest.mark.parametrize(
    "line", ["export default a;", 'import a from "./a.js";', "export { a };", 'const a = await import("./a.js");']
)
def test_other_forms_of_modules_are_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"main\.js: expected named imports and exports"):
        Bundle({"main.js": f"const a = 1;\n{line}\n"}, {}).script("main.js")


def recorded(site: Path) -> dict[str, Any]:
    """What the scripts of a site hand to the page, by path."""
    found = {}
    for file in (site / "data").rglob("*.js"):
        path, record = json.loads(f"[{file.read_text().strip().removeprefix('comphyRecord(').removesuffix(');')}]")
        assert file == site / "data" / f"{path}.js"
        found[path] = record
    return found


def common(record: Any) -> Any:
    if isinstance(record, dict):
        return {key: common(value) for key, value in record.items() if key not in DIFFERENT}
    return [common(one) for one in record] if isinstance(record, list) else record


def test_a_page_is_told_what_the_server_tells(six_rendered: Path, tmp_path: Path) -> None:
    export_sets([six_rendered], tmp_path / "site", sets="1,4")
    records = recorded(tmp_path / "site")
    counterfactual = [path for path in records if "/runs/" in path]
    assert counterfactual and {f"api/sources/0/sets/{index}" for index in (1, 4)} < set(records)
    with serving(six_rendered) as server:
        for path, record in records.items():
            answer = request(server, f"/{path}")
            if path.endswith("catalogue"):
                assert record == [line for line in answer.lines if line["i"] in (1, 4)]
            elif not path.endswith("questions"):
                assert common(record) == common(answer.json), path
    assert [records[f"api/sources/0/sets/{index}"]["neighbours"] for index in (1, 4)] == [[None, 4], [1, None]]
    assert [one["index"] for one in records["api/sources/0/questions"]["sets"]] == [1, 4]
    assert len(list((tmp_path / "site/media/0/4").glob("*.mp4"))) == 5


def test_an_earlier_site_is_replaced_and_nothing_else(small_dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "site"
    out.mkdir()
    page = export_sets([small_dataset], out, sets="0-2")
    export_sets([small_dataset], out, sets="3")
    assert page == out / "index.html" and sorted(tmp_path.iterdir()) == [out]
    assert [path.stem for path in (out / "data/api/sources/0/sets").glob("*.js")] == ["3"]
    for taken in (small_dataset, small_dataset / "manifest.json"):
        before = sorted(small_dataset.rglob("*"))
        with pytest.raises(ConfigError, match=r"expected a new or empty folder, or an earlier site"):
            export_sets([small_dataset], taken)
        assert sorted(small_dataset.rglob("*")) == before


def test_what_cannot_be_exported_is_told(small_dataset: Path, tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"there is no set 7 in this source; it has 4, from 0 to 3\. Choose others"):
        export_sets([small_dataset], tmp_path / "site", sets="1,7")
    with pytest.raises(ConfigError, match=r"expected a reasoner to ask"):
        export_sets([small_dataset], tmp_path / "site", questions=["How many objects are there?"])
    assert not list(tmp_path.iterdir())
    result = comphy("explore", small_dataset, "--sets", "1")
    assert result.returncode == 1 and "expected --export with --sets and --ask" in result.stderr

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import pytest

from comphy.config import build, differences, load_config, named_differences, under_present_names
from comphy.dataset.layout import SPLITS, split_of
from comphy.errors import ConfigError
from comphy.toolkit.reproduction.config import ReproduceConfig, settings_of
from data_gen.config import DatasetConfig, load_plan
from models.agents.benchmark.config import AgentsConfig
from models.tasks import load_task

SHIPPED = sorted(Path("configs").rglob("*.yaml"))


@dataclass(frozen=True)
class Inner:
    RENAMED: ClassVar[dict[str, str]] = {"speed": "rate"}
    RENAMED_VALUES: ClassVar[dict[str, dict[str, str]]] = {"name": {"alpha": "a"}}

    rate: float = 0.5
    name: str = "a"


@dataclass(frozen=True)
class Outer:
    count: int
    inner: Inner = field(default_factory=Inner)
    weights: dict[str, float] = field(default_factory=dict)
    limit: int | None = None


def test_builds_nested_values_and_defaults():
    made = build(Outer, {"count": 2, "inner": {"rate": 1}, "weights": {"x": 3}, "limit": None}, "test")
    assert made == Outer(2, Inner(1.0, "a"), {"x": 3.0}, None)


def test_all_mistakes_are_reported_at_once():
    with pytest.raises(ConfigError) as caught:
        build(Outer, {"inner": {"raet": 1, "name": 3}, "weights": {"x": "much"}}, "file.yaml")
    text = str(caught.value)
    assert "file.yaml" in text
    assert "inner.raet: unknown key; did you mean 'rate'?" in text
    assert "inner.name: expected str (got 3)" in text
    assert "weights.x: expected float (got 'much')" in text
    assert "count: missing" in text


def test_a_key_of_an_earlier_version_is_refused_with_its_new_name():
    with pytest.raises(ConfigError, match=r"inner\.speed: this key is called 'rate' now"):
        build(Outer, {"count": 1, "inner": {"speed": 1.0}}, "test")


def test_a_value_of_an_earlier_version_is_refused_with_its_new_name():
    with pytest.raises(ConfigError, match=r"inner\.name: 'alpha' is called 'a' now"):
        build(Outer, {"count": 1, "inner": {"name": "alpha"}}, "test")


def test_what_an_earlier_version_has_stored_gets_the_names_of_today():
    found = under_present_names(Outer, {"count": 1, "inner": {"speed": 1.0, "name": "alpha"}, "strange": 2})
    assert found == {"count": 1, "inner": {"rate": 1.0, "name": "a"}, "strange": 2}


def test_a_boolean_is_no_number():
    with pytest.raises(ConfigError, match="count: expected int"):
        build(Outer, {"count": True}, "test")


def test_shipped_configs_are_there():
    assert SHIPPED


@pytest.mark.parametrize("path", SHIPPED, ids=str)
def test_shipped_configs_load_and_name_the_command_that_runs_them(path: Path):
    command = f"comphy train {path.parent.name}/{path.stem}"
    if path.parent.name == "data":
        load_plan(path).scene.check()
        command = f"comphy generate {path.parent.name}/{path.stem}"
    elif path.parent.name == "phyre":
        load_config(AgentsConfig, path)
        command = f"comphy phyre evaluate --setup {path.stem}"
    elif path.parent.name == "reproduce":
        settings_of(load_config(ReproduceConfig, path))
        command = f"comphy reproduce --config {path.parent.name}/{path.stem}"
    else:
        load_task(path)
    assert command in path.read_text()


def test_shipped_config_spells_out_the_defaults():
    assert load_config(DatasetConfig, Path("configs/data/comphy.yaml")) == DatasetConfig()


def test_the_papers_size_is_the_same_dataset_with_more_sets() -> None:
    plain, full = (load_plan(Path(f"configs/data/{name}.yaml")) for name in ("comphy", "comphy_full"))
    assert plain.dataset() == full.dataset() == DatasetConfig() and (plain.sets, full.sets) == (10, 12000)
    assert [sum(split_of(index) == split for index in range(full.sets)) for split in SPLITS] == [8000, 2000, 2000]
    with pytest.raises(ConfigError, match=r"expected sets of at least 1 \(got 0\)"):
        load_plan(Path("configs/data/comphy_full.yaml"), ["sets=0"])


def test_overrides_change_values():
    config = load_config(DatasetConfig, Path("configs/data/comphy.yaml"), ["scene.max_objects=4", "blender.samples=64"])
    assert (config.scene.max_objects, config.blender.samples) == (4, 64)


def test_wrong_picture_shape_is_refused():
    with pytest.raises(ConfigError, match="3:2"):
        load_config(DatasetConfig, Path("configs/data/comphy.yaml"), ["picture.width=500"])


def test_a_file_says_what_it_changes_of_its_base(tmp_path: Path):
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "first.yaml").write_text("count: 1\ninner: {rate: 2.0, name: b}\nweights: {x: 1.0}\n")
    (tmp_path / "second.yaml").write_text("base: shared/first.yaml\ninner: {rate: 3.0}\nlimit: 7\n")
    (tmp_path / "third.yaml").write_text("base: second.yaml\ncount: 5\n")
    assert load_config(Outer, tmp_path / "second.yaml") == Outer(1, Inner(3.0, "b"), {"x": 1.0}, 7)
    assert load_config(Outer, tmp_path / "third.yaml", ["inner.rate=4"]) == Outer(5, Inner(4.0, "b"), {"x": 1.0}, 7)


@pytest.mark.parametrize(
    ("first", "message"),
    [
        ("base: nobody.yaml", r"nobody\.yaml: no such config file \(the base of .*first\.yaml\)"),
        ("base: second.yaml", r"first\.yaml: is its own base, by way of .*second\.yaml"),
        ("base: [a, b]", r"first\.yaml: base: expected the name of a config file"),
        ("base: second.yaml\ncuont: 3", "unknown key; did you mean 'count'"),
    ],
)
def test_bases_that_lead_nowhere_are_refused(first: str, message: str, tmp_path: Path):
    (tmp_path / "first.yaml").write_text(first)
    (tmp_path / "second.yaml").write_text("count: 2" if "cuont" in first else "base: first.yaml")
    with pytest.raises(ConfigError, match=message):
        load_config(Outer, tmp_path / "first.yaml")


def test_missing_and_broken_files(tmp_path: Path):
    with pytest.raises(ConfigError, match="no such config file"):
        load_config(DatasetConfig, tmp_path / "no.yaml")
    broken = tmp_path / "broken.yaml"
    broken.write_text("scene: [1, 2")
    with pytest.raises(ConfigError, match=r"broken\.yaml"):
        load_config(DatasetConfig, broken)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("5", "not a usable config"),
        ("[1, 2]", "not a usable config"),
        ("scene: {min_gap: .nan}", "scene.min_gap: expected a number"),
        ("scene: {min_gap: .inf}", "scene.min_gap: expected a number"),
        ("scene: {min_gap: -1}", "min_gap is a length of at least 0"),
        ("scene: {max_objects: 99999999999999999999}", "at most 63 bits"),
        ("scene: {min_gap: " + "9" * 5000 + "}", "not a usable config"),
        ("scene: {min_gap: " + "9" * 400 + "}", "expected float"),
        ("picture: {width: 480000, height: 320000}", "from 96 to 1920 wide"),
        ("raytrace: {samples: -1}", "expected samples of at least 1"),
        ("blender: {samples: 0}", "expected samples of at least 1"),
        ("raytrace: {device: quantum}", "expected device cpu, cuda"),
        ("raytrace: {device: 'cuda:²'}", "expected device cpu, cuda"),
        ("a: " * 2000, "not a usable config"),
        ("[" * 1200, "nested too deeply"),
        ("scene: ${oc.env:HOME}", "Resolvers .* are not allowed"),
        ("base: ${oc.env:HOME}", "Resolvers .* are not allowed"),
        ("raytrace: {device: 'x${oc.decode:${oc.env:HOME}}'}", r"raytrace\.device: .* Resolvers"),
    ],
)
def test_ordinary_mistakes_are_named(text: str, said: str, tmp_path: Path):
    path = tmp_path / "config.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=said):
        load_config(DatasetConfig, path).scene.check()


def test_changes_of_the_command_have_no_resolvers_either(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SECRET", "hunter2")
    with pytest.raises(ConfigError, match=r"raytrace\.device: .* Resolvers") as caught:
        load_config(DatasetConfig, Path("configs/data/comphy.yaml"), ["raytrace.device=${oc.env:SECRET}"])
    assert "hunter2" not in str(caught.value)


def test_a_value_may_refer_to_another_key(tmp_path: Path):
    path = tmp_path / "config.yaml"
    path.write_text("blender: {samples: 7}\nraytrace: {samples: '${blender.samples}'}")
    assert load_config(DatasetConfig, path).raytrace.samples == 7


def test_seeds_are_not_negative():
    with pytest.raises(ConfigError, match="seed: expected a seed of at least 0"):
        load_task(Path("configs/baselines/blind_lstm.yaml"), ["seed=-1"])
    with pytest.raises(ConfigError, match=r"seeds\[1\]: expected a seed of at least 0"):
        load_config(ReproduceConfig, Path("configs/reproduce/tiny.yaml"), ["seeds=[0,-1]"])


def test_differences_are_named_by_dotted_keys():
    found = {"seed": 0, "model": {"hidden": 64, "old": 1}, "same": [1, 2]}
    wanted = {"seed": 0, "model": {"hidden": 32, "new": 2, "unset": None}, "same": [1, 2]}
    assert differences(found, wanted) == [
        "model.hidden: 64 there, 32 wanted",
        "model.new: None there, 2 wanted",
        "model.old: 1 there, None wanted",
    ]
    assert differences(found, found) == []


def test_of_many_differences_the_first_are_named():
    told = named_differences([f"key{number}" for number in range(11)])
    assert told.startswith("key0; key1") and told.endswith("key7; and 3 more")

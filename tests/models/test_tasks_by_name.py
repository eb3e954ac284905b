import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from comphy.config import to_plain
from comphy.errors import ComphyError, ConfigError, DatasetError
from models.baselines.video.settings import FrameSettings
from models.tasks import TASKS, load_task, train
from models.train.run import Run, claim_folder
from tests.support.waiting import HANG_S

CONFIGS = sorted(Path("configs/baselines").glob("*.yaml"))
PHYQ_CONFIGS = sorted(Path("configs/phyq").glob("*.yaml"))
SHOWN = {  # by how the name of a config ends: what it shows a baseline
    "_ref": {"references": True},
    "_single_frame": {"cue": "single_frame"},
    "_shuffled_frames": {"cue": "shuffled_frames"},
    "_references_only": {"target": False, "references": True},
    "_monet": {"frames": FrameSettings(width=144, network="monet", weights="out/runs/monet")},
}
PERCEIVER_KEYS = {
    "detector.trunk": "backbone",
    "augmentation.share": "probability",
    "augmentation.each": "degradation_probability",
    "augmentation.lowest_quality": "min_jpeg_quality",
    "stills.share": "video_fraction",
    "training.warmup": "warmup_steps",
}
VIDEO_BASELINES = ("cnn_lstm", "mac", "hcrn", "aloe", "alpro")
BUILT_ON_PCR = ("cpl", "cpl_dpi")  # they say what differs from configs/pcr/comphy.yaml


def parts(path: Path) -> tuple[str, dict[str, object]]:
    """The task of a config, and what its name says that it changes of the defaults."""
    ending = next((ending for ending in SHOWN if path.stem.endswith(ending)), "")
    return path.stem.removesuffix(ending).removesuffix("_dpi"), SHOWN.get(ending, {})


@pytest.mark.parametrize("path", CONFIGS, ids=str)
def test_every_config_loads_and_names_its_command(path: Path):
    _, config = load_task(path)
    assert config.task == parts(path)[0]
    text = path.read_text()
    assert re.search(rf"comphy train {path.parent.name}/{path.stem} (\w+=\S+ )?--data", text)
    assert next(line for line in text.splitlines() if line and line[0] != "#").startswith(("task: ", "base: "))


@pytest.mark.parametrize("path", [path for path in CONFIGS if path.stem not in BUILT_ON_PCR], ids=str)
def test_a_config_shows_the_defaults(path: Path):
    task, config = load_task(path)
    assert config == task.config(**parts(path)[1])


def test_every_task_has_a_config_of_its_name():
    """Baselines have theirs in one folder; each default config names the task under which it is registered."""
    names = {parts(path)[0] for path in CONFIGS}
    assert all(TASKS[name].config().task == name for name in names)
    known = {"random", "frequent", "blind_lstm", "cnn_lstm", "hcrn", "mac", "aloe", "alpro", "monet", "lvlm", "cpl"}
    assert known == names <= TASKS.keys()


@pytest.mark.parametrize("path", PHYQ_CONFIGS, ids=str)
def test_every_learner_of_phyq_loads_and_names_its_command(path: Path):
    _, config = load_task(path)
    assert config.task == "phyq_learner" and path.stem.startswith(config.network.kind)
    assert f"comphy train {path.parent.name}/{path.stem} --data" in path.read_text()
    published = config.learning.replay_source == "epsilon_greedy"
    assert published == (path.stem == config.network.kind != "flight_paths")
    if published:
        assert config.learning == type(config.learning)(), "the defaults are the published settings"


def test_overrides_reach_the_config():
    _, config = load_task(Path("configs/baselines/blind_lstm.yaml"), ["epochs=3", "model.hidden=7"])
    assert (config.epochs, config.model.hidden) == (3, 7)


@pytest.mark.parametrize(
    ("content", "overrides", "message"),
    [
        ("task: blind_lstn\n", [], "unknown task 'blind_lstn'; did you mean 'blind_lstm'?"),
        ("seed: 0\n", [], "expected `task: NAME` with one of: aloe, alpro, blind_lstm, cnn_lstm, cpl, frequent"),
        ("[1, 2]\n", [], "expected `task: NAME`"),
        ("task: [\n", [], "not a usable config"),
        ("task: random\nsead: 1\n", [], "sead: unknown key; did you mean 'seed'?"),
        ("task: random\nseed: -1\n", [], "expected a seed of at least 0"),
        ("task: random\n", ["task=frequent"], "the task cannot be overridden"),
        (None, [], "no such config file"),
    ],
)
def test_bad_configs_are_explained(tmp_path: Path, content: str | None, overrides: list[str], message: str):
    path = tmp_path / "config.yaml"
    if content is not None:
        path.write_text(content)
    with pytest.raises(ConfigError) as error:
        load_task(path, overrides)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("config", "old", "new"),
    [
        *(("perceiver/small", f"{key}=1", new) for key, new in PERCEIVER_KEYS.items()),
        *((f"baselines/{name}", "stop_on=loss", "early_stopping_metric") for name in VIDEO_BASELINES),
        ("phyq/flight_paths", "one_network=true", "shared_network"),
        ("phyq/flight_paths", "learning.collecting=all", "replay_source"),
        ("phyq/flight_paths", "learning.target_every=1", "target_update_interval"),
        ("phyq/flight_paths", "learning.by_task=true", "balance_tasks"),
    ],
)
def test_a_key_of_an_earlier_version_is_refused_with_its_new_name(config: str, old: str, new: str):
    with pytest.raises(ConfigError, match=f"{old.partition('=')[0]}: this key is called '{new}' now"):
        load_task(Path(f"configs/{config}.yaml"), [old])


def test_a_run_that_an_earlier_version_has_begun_goes_on(tmp_path: Path):
    _, config = load_task(Path("configs/perceiver/small.yaml"))
    text = yaml.safe_dump(to_plain(config), sort_keys=False)
    old = text.replace("backbone:", "trunk:").replace("warmup_steps:", "warmup:")
    (tmp_path / "config.yaml").write_text(old)
    claim_folder(Run(tmp_path, tmp_path), config)
    with pytest.raises(ConfigError, match=r"different: training\.warmup_steps: 300 there, 1 wanted"):
        claim_folder(Run(tmp_path, tmp_path), replace(config, training=replace(config.training, warmup_steps=1)))


def test_a_folder_belongs_to_one_config(dataset: Path, tmp_path: Path):
    path = Path("configs/baselines/random.yaml")
    train(*load_task(path), Run(dataset, tmp_path / "run"))
    train(*load_task(path), Run(dataset, tmp_path / "run"))
    with pytest.raises(ConfigError, match=r"different: seed: 0 there, 1 wanted\. Go on with the config"):
        train(*load_task(path, ["seed=1"]), Run(dataset, tmp_path / "run"))


@pytest.mark.parametrize("content", ["- 1\n", "a: [\n"])
def test_a_strange_config_in_the_folder_is_not_overwritten(dataset: Path, tmp_path: Path, content: str):
    (tmp_path / "config.yaml").write_text(content)
    with pytest.raises(ConfigError, match="Choose another --out"):
        train(*load_task(Path("configs/baselines/random.yaml")), Run(dataset, tmp_path))
    assert (tmp_path / "config.yaml").read_text() == content


def test_without_a_dataset_nothing_is_begun(tmp_path: Path):
    with pytest.raises(DatasetError, match="no such dataset"):
        train(*load_task(CONFIGS[0]), Run(tmp_path / "none", tmp_path / "run"))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("name", ["frequent", "blind_lstm"])
@pytest.mark.parametrize("content", [None, "[]", "{}"])
def test_training_files_that_cannot_be_used_are_named(dataset: Path, tmp_path: Path, name: str, content: str | None):
    (dataset / "train.json").unlink()
    if content is not None:
        (dataset / "train.json").write_text(content)
    with pytest.raises(ComphyError, match=r"train"):
        train(*load_task(Path(f"configs/baselines/{name}.yaml")), Run(dataset, tmp_path / "run"))


@pytest.mark.slow
def test_every_task_and_agent_imports_without_pybullet_and_blender():
    without = "import sys; sys.modules.update(pybullet=None, bpy=None, data_gen=None); "
    agents = "import models.agents.benchmark.evaluation; "
    run_python(without + agents + "from models.tasks import TASKS; [(one.config, one.train) for one in TASKS.values()]")


def test_names_are_known_without_torch_or_a_model():
    """Printing help must not wait for them."""
    heavy = "[name for name in sys.modules if name in ('torch', 'accelerate', 'models.pcr', 'models.perceiver')]"
    assert run_python(f"import sys, models.tasks; print({heavy})") == "[]"


def run_python(code: str) -> str:
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=HANG_S)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()

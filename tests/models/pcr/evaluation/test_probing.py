from dataclasses import replace
from pathlib import Path

import pytest
import torch

from comphy.errors import ConfigError
from comphy.toolkit.probing import evaluate_probes
from models.pcr.evaluation.probing import PROBED, collect_examples, probe
from models.perceiver.cache.feature_cache import FeatureCache
from tests.support.commands import comphy

TRAIN, VAL = (0, 1, 2, 3, 6, 7, 8, 9), (4, 10)


@pytest.mark.parametrize("hidden", [0, 16])
def test_a_probe_finds_what_stands_in_the_features_and_nothing_else(
    dozen: Path, dozen_cache: FeatureCache, hidden: int
):
    train, test = (collect_examples(dozen_cache, dozen, sets) for sets in (TRAIN, VAL))
    found = probe(train, test, hidden, steps=120)
    assert all(one is not None and one.value == 1 for one in found.values()) and set(found) == set(PROBED)
    torch.manual_seed(0)
    blind = replace(test, features=test.features[torch.randperm(len(test.features))])
    colour = probe(train, blind, hidden, steps=120)["color"]
    assert colour is not None and colour.value < 0.7


def test_accuracies_have_the_intervals_of_sets(dozen: Path, dozen_cache: FeatureCache):
    examples = collect_examples(dozen_cache, dozen, VAL)
    right = examples.sets == VAL[0]  # all or nothing in a set: as if there were two answers
    found = examples.accuracy(right)
    assert found is not None and found.count == len(right) and found.high - found.low > 0.5


def test_what_cannot_be_probed_is_told(dozen: Path, dozen_cache: FeatureCache, tmp_path: Path):
    (tmp_path / "detector.safetensors").write_bytes(b"another")
    with pytest.raises(ConfigError, match="a feature cache with --probe: fill one with comphy perceive"):
        evaluate_probes(tmp_path, None, dozen, "val", None)
    with pytest.raises(ConfigError, match="expected --split val or test"):
        evaluate_probes(tmp_path, dozen_cache.folder, dozen, "train", None)
    with pytest.raises(ConfigError, match="found one of another perceiver"):
        evaluate_probes(tmp_path, dozen_cache.folder, dozen, "val", None)
    told = comphy("evaluate", "pcr", dozen, "--probe")
    assert told.returncode and "expected the run of a perceiver with --probe (got pcr)" in told.stderr.replace(
        "\n", " "
    )

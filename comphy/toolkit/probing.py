"""`comphy evaluate PERCEIVER DATA --probe`: what a perceiver's embeddings tell of colour, shape and material."""

from pathlib import Path
from typing import Any, Final

from comphy.command import console, working
from comphy.dataset.sources.opening import open_source
from comphy.errors import ConfigError
from comphy.evaluation.qa.tables import new_table, percent_and_interval
from models.pcr.evaluation.probing import HIDDEN, PROBED, collect_examples, probe
from models.perceiver.cache.feature_cache import FeatureCache
from models.perceiver.cache.index import CacheKey
from models.perceiver.detection.checkpoint import weights_of

LEARNED_FROM: Final = "train"
MOST_SETS: Final = 500  # of each split, unless told otherwise


def evaluate_probes(perceiver: Path, cache: Path | None, data: Path, split: str, sets: int | None) -> dict[str, Any]:
    """Train probes on features of train sets in a cache of the perceiver, and score them on another split."""
    if cache is None:
        raise ConfigError(
            "expected a feature cache with --probe: fill one with comphy perceive, and name it by --cache."
        )
    if split == LEARNED_FROM:
        raise ConfigError(f"expected --split val or test with --probe (got {split}, which probes learn from).")
    features = FeatureCache(cache)
    if features.key.checkpoint != CacheKey.of(weights_of(perceiver), "", {}).checkpoint:
        raise ConfigError(f"{cache}: expected a feature cache of {perceiver} (found one of another perceiver).")
    source, perceived = open_source(data), set(features.indices())
    chosen = {
        one: [index for index in source.indices() if source.split_of(index) == one and index in perceived]
        for one in (LEARNED_FROM, split)
    }
    if missing := [one for one, found in chosen.items() if not found]:
        raise ConfigError(f"{cache}: expected perceived sets of {' and '.join(missing)} (found none).")
    with working("collecting features"):
        train, test = (collect_examples(features, data, found[: sets or MOST_SETS]) for found in chosen.values())
    found = {}
    for name, hidden in (("linear", 0), ("MLP", HIDDEN)):
        with working(f"training probes, {name}"):
            found[name] = probe(train, test, hidden)
    table = new_table(f"Probes of attributes, accuracy in % on {split}", "probe", *PROBED)
    for name, scores in found.items():
        table.add_row(name, *(percent_and_interval(scores[attribute]) for attribute in PROBED))
    console.print(table)
    console.print(
        f"{len(test.features)} tracks; probes learned from {len(train.features)} tracks of train. "
        f"MLP: one hidden layer of {HIDDEN} units."
    )
    records = {name: {key: one and one.record() for key, one in scores.items()} for name, scores in found.items()}
    return {"split": split, "train_tracks": len(train.features), "tracks": len(test.features), "probes": records}

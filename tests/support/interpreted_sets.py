"""Sets of which everything is known for certain, or that an untrained reasoner has looked at."""

from pathlib import Path

import torch

from models.pcr.asking.interpreted_set import InterpretedSet, interpret_set
from models.pcr.evaluation.true_scene import true_scene
from models.pcr.evaluation.true_sets import read_facts
from models.pcr.reasoner.reasoner import OBJECTS, Reasoner
from models.pcr.reasoner.settings import ReasonerSettings
from models.perceiver.cache.feature_cache import FeatureCache
from tests.support.perceived_truth import FEATURES


def certain(root: Path, index: int) -> InterpretedSet:
    return InterpretedSet(index, true_scene([read_facts(root, index)], OBJECTS))


def uncertain(cache: FeatureCache, index: int) -> InterpretedSet:
    torch.manual_seed(0)
    return interpret_set(
        Reasoner(ReasonerSettings(features=FEATURES, hidden=16, attribute_hidden=16, state_fit=False)).eval(),
        cache,
        index,
    )

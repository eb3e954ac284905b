"""Sets of which everything is known for certain, or that an untrained reasoner has looked at."""

from pathlib import Path

import torch

from models.pcr.asking.known import KnownSet, know
from models.pcr.evaluation.true_scene import true_scene
from models.pcr.evaluation.true_sets import read_facts
from models.pcr.reasoner.reasoner import OBJECTS, Reasoner
from models.pcr.reasoner.settings import ReasonerSettings
from models.perceiver.cache.feature_cache import FeatureCache
from tests.support.perceived_truth import FEATURES


def certain(root: Path, index: int) -> KnownSet:
    return KnownSet(index, true_scene([read_facts(root, index)], OBJECTS))


def uncertain(cache: FeatureCache, index: int) -> KnownSet:
    torch.manual_seed(0)
    return know(Reasoner(ReasonerSettings(features=FEATURES, hidden=16, looks=16)).eval(), cache, index)

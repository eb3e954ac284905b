"""Sets of which everything is known for certain, or that an untrained reasoner has looked at."""

from pathlib import Path

import torch

from models.pcr.asking.known import KnownSet, know
from models.pcr.reasoner import OBJECTS, Reasoner
from models.pcr.settings import ReasonerSettings
from models.pcr.true_sets import read_facts
from models.pcr.truth import true_scene
from models.perceiver.cache import FeatureCache
from tests.models.pcr.perceived_truth import FEATURES


def certain(root: Path, index: int) -> KnownSet:
    return KnownSet(index, true_scene([read_facts(root, index)], OBJECTS))


def uncertain(cache: FeatureCache, index: int) -> KnownSet:
    torch.manual_seed(0)
    return know(Reasoner(ReasonerSettings(features=FEATURES, hidden=16, looks=16)).eval(), cache, index)

import numpy as np

from models.perceiver.tracking.tracklets import LinkSettings, link_detections, overlap
from tests.support.pseudo_detections import (
    FEATURES,
)


def _linked(scores: list[float], looks: np.ndarray, appearance_weight: float = 1.0) -> int:
    """Which of two detections a box of 40 x 40 is linked to: one shifted by (0, 4), one by (8, -10)."""
    boxes = np.array([[(100, 100, 140, 140), (0, 0, 0, 0)], [(100, 104, 140, 144), (108, 90, 148, 130)]], np.float32)
    confidence = np.array([(0.9, 0.0), scores], np.float32)
    overlaps = overlap(boxes[:-1, :, None], boxes[1:, None])
    labels = link_detections(confidence, overlaps, looks.astype(np.float32), 0.0, LinkSettings(0.3, appearance_weight))
    return int(np.flatnonzero(labels[1] == labels[0, 0])[0])


def test_links_follow_the_connection_score() -> None:
    """0.9 + 0.5 + 36/44 < 0.9 + 1.0 + 24/56, but 0.9 + 0.7 + 36/44 > 0.9 + 1.0 + 24/56."""
    same = np.zeros((2, 2, FEATURES))
    assert _linked([0.5, 1.0], same) == 1
    assert _linked([0.7, 1.0], same) == 0


def test_looks_decide_where_paths_cross() -> None:
    looks = np.zeros((2, 2, FEATURES))
    looks[0, 0, 0], looks[1, 0, 1], looks[1, 1, 0] = 1.0, 1.0, 1.0
    assert _linked([0.9, 0.9], looks) == 1
    assert _linked([0.9, 0.9], looks, appearance_weight=0.0) == 0

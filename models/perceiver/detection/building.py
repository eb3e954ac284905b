"""Builds the detector that the settings name: the default one, or detectron2's behind the same contract."""

import torch

from models.perceiver.detection.detector import FasterRCNN
from models.perceiver.detection.detectron2_adapter import Detectron2Detector
from models.perceiver.detection.network import DETECTRON2, DetectorSettings, anchor_boxes

TrainableDetector = FasterRCNN | Detectron2Detector


def build_detector(settings: DetectorSettings) -> TrainableDetector:
    """A detector with random weights. Raises `MissingDependency` for detectron2's where detectron2 is not installed."""
    return Detectron2Detector(settings) if settings.implementation == DETECTRON2 else FasterRCNN(settings)


def build_empty_detector(settings: DetectorSettings) -> TrainableDetector:
    """A detector to load weights into. The default one's are not drawn first, which takes longer than reading them."""
    if settings.implementation == DETECTRON2:
        return build_detector(settings)
    with torch.device("meta"):
        detector = FasterRCNN(settings)
    detector = detector.to_empty(device="cpu")
    detector.anchors = anchor_boxes(settings)  # no weights: they come from the settings
    return detector

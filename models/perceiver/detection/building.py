"""Builds the detector that the settings name: the default one, or detectron2's behind the same contract."""

from models.perceiver.detection.detector import FasterRCNN
from models.perceiver.detection.detectron2_adapter import Detectron2Detector
from models.perceiver.detection.network import DETECTRON2, DetectorSettings

TrainableDetector = FasterRCNN | Detectron2Detector


def build_detector(settings: DetectorSettings) -> TrainableDetector:
    """A detector with random weights. Raises `MissingDependency` for detectron2's where detectron2 is not installed."""
    return Detectron2Detector(settings) if settings.implementation == DETECTRON2 else FasterRCNN(settings)

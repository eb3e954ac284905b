"""detectron2's Faster R-CNN behind the perceiver's detector contract, for those who have detectron2.

Its architecture is that of the default detector, from the same settings: a ResNet up to its third stage, whose fourth
stage describes regions by 512 averaged features. detectron2 is imported at first use only.

Shapes: B frames, K detections, R regions, G true boxes of a frame (padded, zero area where there is none), D features.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, Final

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

from comphy.errors import DatasetError, MissingDependency
from models.perceiver.detection.boxes import area
from models.perceiver.detection.contract import Detections
from models.perceiver.detection.detector import (
    ANCHOR_SAMPLE,
    CANDIDATES,
    DETECTION_OVERLAP,
    PROPOSAL_OVERLAP,
    REGION_SAMPLE,
    SMALLEST_SIDE,
)
from models.perceiver.detection.network import DetectorSettings
from models.train.checkpoint import Tensors, load_weights

INSTALL: Final = "pip install --no-build-isolation 'git+https://github.com/facebookresearch/detectron2'"
NORM: Final = "BN"  # learns its statistics: detectron2's frozen default expects a pretrained backbone
DEPTHS: Final = {"resnet34": 34, "resnet18": 18}


@dataclass(frozen=True)
class Detectron2Losses:
    """detectron2's losses by name; what is trained on is their sum."""

    by_name: dict[str, Tensor]

    def total(self) -> Tensor:
        return torch.stack(list(self.by_name.values())).sum()

    def parts(self) -> dict[str, Tensor]:
        return self.by_name


class Detectron2Detector(nn.Module):
    """Finds objects of one class with detectron2; random weights unless a file of them is given."""

    def __init__(self, settings: DetectorSettings, weights: Path | None = None) -> None:
        super().__init__()
        self.settings = settings
        self.model = _build(settings)
        if weights is not None:
            load_weights(self.model, _read_weights(weights), weights)

    @property
    def size(self) -> tuple[int, int]:
        return self.settings.width, self.settings.height

    def losses(
        self, frames: Tensor, truth: Tensor, videos: Tensor | None = None, originals: Tensor | None = None
    ) -> "Detectron2Losses":
        """Of frames [B, H, W, 3] with true boxes [B, G, 4]. Which video a frame is from (`videos`) and what it looked like
        before it was augmented (`originals`) make no difference: detectron2 has no appearance losses."""
        # detectron2 logs into a storage while it trains, and stops where there is none.
        with self._mode(training=True), _module("utils.events").EventStorage():
            return Detectron2Losses(self.model(self._inputs(frames, truth)))

    @torch.no_grad()
    def detect(self, frames: Tensor) -> Detections:
        with self._mode(training=False):
            images, features = self._features(frames)
            proposals, _ = self.model.proposal_generator(images, features, None)
            found, _ = self.model.roi_heads(images, features, proposals, None)
            boxes = torch.stack([self._padded(one.pred_boxes.tensor) for one in found]).float()
            scores = torch.stack([self._padded(one.scores) for one in found]).float()
            return Detections(boxes, scores, self._describe(features, boxes))

    @torch.no_grad()
    def describe(self, frames: Tensor, regions: Tensor) -> Tensor:
        with self._mode(training=False):
            _, features = self._features(frames)
            return self._describe(features, regions.to(self.model.device, torch.float32))

    def _features(self, frames: Tensor) -> tuple[Any, dict[str, Tensor]]:
        """detectron2's image list and the backbone's feature maps by name."""
        images = self.model.preprocess_image(self._inputs(frames))
        return images, self.model.backbone(images.tensor)

    def _describe(self, features: dict[str, Tensor], regions: Tensor) -> Tensor:
        """Averaged features [B, R, D] of regions [B, R, 4]."""
        boxes = _module("structures").Boxes
        heads = self.model.roi_heads
        grid = heads.pooler([features[name] for name in heads.in_features], [boxes(rows) for rows in regions])
        described: Tensor = heads.res5(grid).mean(dim=(2, 3)).float()
        return described.reshape(*regions.shape[:2], -1)

    def _inputs(self, frames: Tensor, truth: Tensor | None = None) -> list[dict[str, Any]]:
        """One dictionary for each frame, with its true boxes where they are known."""
        if frames.shape[1:] != (self.settings.height, self.settings.width, 3):
            raise ValueError(
                f"Expected frames of {self.settings.width}x{self.settings.height} in RGB (got {tuple(frames.shape)})."
            )
        images = [{"image": image} for image in frames.permute(0, 3, 1, 2).float()]
        if truth is None:
            return images
        return [image | {"instances": self._instances(boxes)} for image, boxes in zip(images, truth, strict=True)]

    def _instances(self, boxes: Tensor) -> Any:
        """True boxes [G, 4] as detectron2 wants them: without padding, all of class 0."""
        structures = _module("structures")
        real = boxes[area(boxes) > 0].float()
        classes = torch.zeros(len(real), dtype=torch.int64, device=real.device)
        size = self.settings.height, self.settings.width
        return structures.Instances(size, gt_boxes=structures.Boxes(real), gt_classes=classes)

    def _padded(self, rows: Tensor) -> Tensor:
        """As many rows as the contract has room for; zeros where nothing was found."""
        gap = [0, 0] * (rows.dim() - 1) + [0, self.settings.detections - len(rows)]
        return functional.pad(rows, gap)

    @contextmanager
    def _mode(self, training: bool) -> Iterator[None]:
        """detectron2 returns losses in training mode alone, and detections in evaluation mode alone."""
        before = self.training
        self.train(training)
        try:
            yield
        finally:
            self.train(before)


def detectron2_config(settings: DetectorSettings) -> Any:
    """A `CfgNode` of what the settings describe, also for detectron2's own tools."""
    cfg = _module("config").get_cfg()
    cfg.INPUT.FORMAT = "RGB"
    cfg.INPUT.MIN_SIZE_TRAIN = (settings.height,)
    cfg.INPUT.MIN_SIZE_TEST = settings.height
    cfg.INPUT.MAX_SIZE_TRAIN = cfg.INPUT.MAX_SIZE_TEST = settings.width
    model = cfg.MODEL
    model.DEVICE = "cpu"  # where it is built; `.to()` moves it
    model.WEIGHTS = ""
    model.PIXEL_MEAN, model.PIXEL_STD = [128.0] * 3, [64.0] * 3
    model.BACKBONE.FREEZE_AT = 0  # the backbone is not pretrained
    model.RESNETS.DEPTH = DEPTHS[settings.backbone]
    model.RESNETS.NORM = NORM
    model.RESNETS.RES2_OUT_CHANNELS = 64
    model.RESNETS.OUT_FEATURES = ["res4"]
    model.ANCHOR_GENERATOR.SIZES = [list(settings.anchor_sizes)]
    model.ANCHOR_GENERATOR.ASPECT_RATIOS = [[1.0]]
    model.ANCHOR_GENERATOR.OFFSET = 0.5
    model.PROPOSAL_GENERATOR.MIN_SIZE = SMALLEST_SIDE
    _configure_proposals(model.RPN, settings)
    _configure_regions(model, settings)
    cfg.TEST.DETECTIONS_PER_IMAGE = settings.detections
    return cfg


def _configure_proposals(rpn: Any, settings: DetectorSettings) -> None:
    rpn.IN_FEATURES = ["res4"]
    rpn.NMS_THRESH = PROPOSAL_OVERLAP
    rpn.BATCH_SIZE_PER_IMAGE = ANCHOR_SAMPLE
    rpn.PRE_NMS_TOPK_TRAIN = rpn.PRE_NMS_TOPK_TEST = CANDIDATES
    rpn.POST_NMS_TOPK_TRAIN, rpn.POST_NMS_TOPK_TEST = REGION_SAMPLE, settings.proposals


def _configure_regions(model: Any, settings: DetectorSettings) -> None:
    model.ROI_HEADS.NAME = "Res5ROIHeads"
    model.ROI_HEADS.IN_FEATURES = ["res4"]
    model.ROI_HEADS.NUM_CLASSES = 1
    model.ROI_HEADS.BATCH_SIZE_PER_IMAGE = REGION_SAMPLE
    model.ROI_HEADS.SCORE_THRESH_TEST = 0.0
    model.ROI_HEADS.NMS_THRESH_TEST = DETECTION_OVERLAP
    model.ROI_BOX_HEAD.POOLER_RESOLUTION = settings.region_grid


def _build(settings: DetectorSettings) -> Any:
    modeling = _module("modeling")
    model = modeling.build_model(detectron2_config(settings))
    # From a config, detectron2 builds this stage of bottleneck blocks whatever the depth; ours have basic blocks.
    stages = _module("modeling.backbone").ResNet.make_default_stages(DEPTHS[settings.backbone], norm=NORM)
    model.roi_heads.res5 = nn.Sequential(*stages[-1])
    return model


def _read_weights(path: Path) -> Tensors:
    """Of a safetensors file, or of a checkpoint as detectron2's checkpointer writes it."""
    try:
        if path.suffix == ".safetensors":
            return load_file(path)
        stored = torch.load(path, map_location="cpu", weights_only=True)
    except (OSError, EOFError, RuntimeError, SafetensorError, UnpicklingError) as error:
        raise DatasetError(f"{path}: cannot be read as weights ({error}).") from error
    return dict(stored.get("model", stored))


def _module(name: str) -> Any:
    """A module of detectron2, which ships no types."""
    try:
        import_module("detectron2")
        return import_module(f"detectron2.{name}")
    except ImportError as error:
        raise MissingDependency(
            f"Detectron2Detector needs detectron2 ({error}). With torch installed: {INSTALL} (see docs/detectron2.md)"
        ) from error

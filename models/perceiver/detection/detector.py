"""The default detector: frames in, objects out.

Shapes: B frames, A anchors, R regions, G true boxes of a frame (padded, zero area where there is none).
"""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.perceiver.detection.appearance_losses import ReconstructionHead, contrastive_loss, reconstruction_loss
from models.perceiver.detection.boxes import area, clip, decode, encode, iou, keep_best, ordered
from models.perceiver.detection.contract import FEATURES, Detections
from models.perceiver.detection.network import Backbone, DetectorSettings, ProposalHead, RegionHead, anchor_boxes
from models.perceiver.detection.refiner import BoxRefiner, refinement_loss

CANDIDATES: Final = 96  # best anchors of a frame that compete to be proposals
PROPOSAL_OVERLAP: Final = 0.7
DETECTION_OVERLAP: Final = 0.6
SMALLEST_SIDE: Final = 2.0  # pixels
REFINED_FROM: Final = 0.2  # confidence; trackers ignore what is below 0.3, so that its edges need not be exact

# Positive and negative examples ("hits" and "misses") of anchors and regions: IoU thresholds, and how many are sampled.
ANCHOR_HIT: Final = 0.6
ANCHOR_MISS: Final = 0.3
ANCHOR_SAMPLE: Final = 128
ANCHOR_HITS: Final = 64
REGION_HIT: Final = 0.5
REGION_SAMPLE: Final = 24
REGION_HITS: Final = 10


@dataclass(frozen=True)
class Losses:
    """The parts of the training loss, by name in logs; `refined_box` only where boxes are refined."""

    proposal_score: Tensor
    proposal_box: Tensor
    region_score: Tensor
    region_box: Tensor
    reconstruction: Tensor
    contrastive: Tensor
    refined_box: Tensor | None = None

    def parts(self) -> dict[str, Tensor]:
        return {name: loss for name, loss in vars(self).items() if loss is not None}

    def total(self) -> Tensor:
        return torch.stack(list(self.parts().values())).sum()


class FasterRCNN(nn.Module):
    """Faster R-CNN for one class, "object", learned from boxes alone.

    Appearance embeddings are learned without labels, by reconstruction and a contrastive loss (`appearance_losses`). Names
    of submodules are those of the shipped weights: `trunk` is the ResNet backbone, `proposals` the region proposal network,
    `painter` the decoder of the reconstruction loss.
    """

    anchors: Tensor

    def __init__(self, settings: DetectorSettings) -> None:
        super().__init__()
        self.settings = settings
        self.trunk = Backbone(settings.backbone)
        self.proposals = ProposalHead(len(settings.anchor_sizes))
        self.regions = RegionHead(FEATURES, settings.region_grid, settings.backbone)
        self.painter = ReconstructionHead(FEATURES)
        self.refiner = BoxRefiner(settings.refinement_grid) if settings.refinement_grid else None
        self.register_buffer("anchors", anchor_boxes(settings), persistent=False)

    @property
    def size(self) -> tuple[int, int]:
        return self.settings.width, self.settings.height

    def losses(
        self, frames: Tensor, truth: Tensor, videos: Tensor | None = None, originals: Tensor | None = None
    ) -> Losses:
        """Training losses of frames [B, H, W, 3] with true boxes [B, G, 4]; an object has one row in all frames of a video.

        `videos` [B] numbers the video of each frame; by default all are different. `originals` are what is to be
        reconstructed, by default the frames themselves: where these are distorted, embeddings learn to see past it.
        """
        images = self._images(frames)
        features = self.trunk(images)
        scores, moves = self.proposals(features)
        scores, moves = scores.float(), moves.float()
        proposal_score, proposal_box = _anchor_losses(self.anchors, scores, moves, truth)
        with torch.no_grad():
            proposed, valid = self._propose(scores, moves, REGION_SAMPLE)
            sampled, target, hit, used, owner = _sample_regions(proposed, valid, truth)
        pooled = self.regions.pool(features, sampled)
        region_scores, region_moves = self.regions.predict(pooled)
        embeddings = self.regions.embed(pooled).float()
        owners = (
            owner + truth.shape[1] * (videos if videos is not None else torch.arange(len(truth)).to(owner))[:, None]
        )
        score_loss = functional.binary_cross_entropy_with_logits(region_scores.float(), hit.float(), reduction="none")
        box_loss = functional.smooth_l1_loss(region_moves.float(), encode(target, sampled), reduction="none", beta=0.1)
        region_score = (score_loss * used).sum() / used.sum().clamp(min=1)
        region_box = (box_loss.sum(dim=-1) * hit).sum() / hit.sum().clamp(min=1)
        painted = images if originals is None else self._images(originals)
        reconstruction = reconstruction_loss(self.painter(embeddings), painted, sampled, hit)
        contrastive = contrastive_loss(embeddings, owners, owners // truth.shape[1], hit)
        refined_box = refinement_loss(self.refiner, images, truth) if self.refiner is not None else None
        return Losses(proposal_score, proposal_box, region_score, region_box, reconstruction, contrastive, refined_box)

    @torch.no_grad()
    def detect(self, frames: Tensor) -> Detections:
        images = self._images(frames)
        features = self.trunk(images)
        scores, moves = self.proposals(features)
        proposed, valid = self._propose(scores.float(), moves.float(), self.settings.proposals)
        pooled = self.regions.pool(features, proposed)
        region_scores, region_moves = self.regions.predict(pooled)
        boxes = clip(decode(region_moves.float(), proposed), *self.size)
        confidence = region_scores.float().sigmoid() * valid
        order = confidence.argsort(dim=1, descending=True)
        embeddings = self.regions.embed(pooled).float()
        boxes, confidence, embeddings = (_pick(x, order) for x in (boxes, confidence, embeddings))
        kept = keep_best(boxes, confidence > 0, DETECTION_OVERLAP)
        confidence = confidence * kept
        best = confidence.argsort(dim=1, descending=True)[:, : self.settings.detections]
        boxes, confidence = _pick(boxes, best), _pick(confidence, best)
        if self.refiner is not None:
            boxes = clip(ordered(self.refiner(images, boxes, confidence >= REFINED_FROM)), *self.size)
        return Detections(boxes, confidence, _pick(embeddings, best))

    @torch.no_grad()
    def describe(self, frames: Tensor, regions: Tensor) -> Tensor:
        return self.regions.embed(self.regions.pool(self.trunk(self._images(frames)), regions)).float()

    def _images(self, frames: Tensor) -> Tensor:
        """8-bit frames [B, H, W, 3] as normalised floats [B, 3, H, W]."""
        if frames.shape[1:] != (self.settings.height, self.settings.width, 3):
            raise ValueError(
                f"Expected frames of {self.settings.width}x{self.settings.height} in RGB (got {tuple(frames.shape)})."
            )
        images = frames.permute(0, 3, 1, 2).to(torch.float32)
        return ((images - 128.0) / 64.0).contiguous(memory_format=torch.channels_last)

    def _propose(self, scores: Tensor, moves: Tensor, count: int) -> tuple[Tensor, Tensor]:
        """The best regions [B, R, 4] after non-maximum suppression, and which of them are no padding [B, R]."""
        best, chosen = scores.topk(min(CANDIDATES, scores.shape[1]), dim=1)
        boxes = clip(decode(_pick(moves, chosen), self.anchors[chosen]), *self.size)
        large = ((boxes[..., 2:] - boxes[..., :2]) >= SMALLEST_SIDE).all(dim=-1)
        kept = keep_best(boxes, large, PROPOSAL_OVERLAP)
        ranked = best.masked_fill(~kept, -torch.inf)
        values, order = ranked.topk(min(count, ranked.shape[1]), dim=1)
        return _pick(boxes, order), values > -torch.inf


def _pick(rows: Tensor, order: Tensor) -> Tensor:
    """Rows [B, N, ...] or [B, N] in the order of indices [B, K]."""
    if rows.dim() == 2:
        return rows.gather(1, order)
    return rows.gather(1, order[..., None].expand(*order.shape, rows.shape[2]))


def _anchor_losses(anchors: Tensor, scores: Tensor, moves: Tensor, truth: Tensor) -> tuple[Tensor, Tensor]:
    """Losses of the region proposal network. Hits are anchors with a large IoU with a true box, or the largest of all."""
    real = area(truth) > 0
    overlaps = iou(anchors[None], truth) * real[:, None]
    best, owner = overlaps.max(dim=2)
    nearest = (overlaps == overlaps.max(dim=1, keepdim=True).values.clamp(min=1e-3)) & real[:, None]
    hit = (best >= ANCHOR_HIT) | nearest.any(dim=2)
    miss = (best < ANCHOR_MISS) & ~hit
    hit, miss = _sample(hit, miss, ANCHOR_SAMPLE, ANCHOR_HITS)
    used = hit | miss
    score = functional.binary_cross_entropy_with_logits(scores, hit.float(), reduction="none")
    target = encode(_pick(truth, owner), anchors[None].expand(len(truth), -1, -1))
    box = functional.smooth_l1_loss(
        moves, torch.where(hit[..., None], target, moves.detach()), reduction="none", beta=0.1
    )
    return (score * used).sum() / used.sum().clamp(min=1), box.sum() / hit.sum().clamp(min=1)


def _sample_regions(proposed: Tensor, valid: Tensor, truth: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Sample proposals and true boxes as examples of the region head: regions, the true box of each, which are hits, which
    are used at all, and the number of the true box."""
    real = area(truth) > 0
    regions = torch.cat([truth, proposed], dim=1)
    usable = torch.cat([real, valid], dim=1)
    best, owner = (iou(regions, truth) * real[:, None]).max(dim=2)
    hit, miss = (best >= REGION_HIT) & usable, (best < REGION_HIT) & usable
    hit, miss = _sample(hit, miss, REGION_SAMPLE, REGION_HITS)
    order = (hit | miss).float().argsort(dim=1, descending=True)[:, :REGION_SAMPLE]
    regions, owner, hit, miss = (_pick(x, order) for x in (regions, owner, hit, miss))
    target = torch.where(hit[..., None], _pick(truth, owner), regions)
    return regions, target, hit, hit | miss, owner


def _sample(hit: Tensor, miss: Tensor, total: int, hits: int) -> tuple[Tensor, Tensor]:
    """At most `hits` random hits of each image, and random misses up to `total`."""
    few_hits = hit & (_rank(hit) < hits)
    room = total - few_hits.sum(dim=1, keepdim=True)
    return few_hits, miss & (_rank(miss) < room)


def _rank(flags: Tensor) -> Tensor:
    """A random rank of each true flag among those of its image; the others come after them."""
    return (torch.rand(flags.shape, device=flags.device) + (~flags).float()).argsort(dim=1).argsort(dim=1)

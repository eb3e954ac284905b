"""Videos together with what physics made of them and what the camera sees: the ground truth of a set."""

from dataclasses import dataclass

from comphy.scene.clip import Clip
from comphy.scene.events import Event
from comphy.scene.objects import Change, Video, VideoSet
from comphy.scene.silhouette import Views
from comphy.sim.rollout import Rollout
from comphy.sim.tabletop import clip_of


@dataclass(frozen=True)
class Recording:
    """A video, its rollout, its events, and its objects' visible boxes."""

    video: Video
    rollout: Rollout
    events: tuple[Event, ...]
    views: Views
    uncharged: Rollout | None  # the same video without charges, where there are any

    def clip(self) -> Clip:
        """What a viewer sees of it: the visible frames."""
        return clip_of(self.video, self.rollout)


@dataclass(frozen=True)
class RecordedSet:
    """Everything known about a set: the recordings, and one run for every counterfactual premise."""

    scene: VideoSet
    target: Recording
    references: tuple[Recording, ...]
    counterfactuals: dict[Change, Rollout]

    def clips(self) -> dict[str, Clip]:
        """All five videos by the names used in packs and mask files."""
        references = {f"reference_{k}": recording.clip() for k, recording in enumerate(self.references)}
        return {"target": self.target.clip(), **references}

"""The configuration of a dataset: everything but the seed and the number of sets that decides its bytes."""

from dataclasses import dataclass, field

from comphy.scene.camera import Camera
from data_gen.sampling.rules import SceneRules


@dataclass(frozen=True)
class PictureSize:
    """Size of the frames; the camera's aspect ratio 3:2 must be kept."""

    width: int = 480
    height: int = 320

    def __post_init__(self) -> None:
        if self.width * 2 != self.height * 3 or self.width % 6 or self.width < 96:
            raise ValueError(
                f"expected a 3:2 picture at least 96 wide with even sides, such as 480x320 or 240x160 "
                f"(got {self.width}x{self.height})"
            )


@dataclass(frozen=True)
class RaytraceOptions:
    samples: int = 4  # per pixel around objects
    shadows: bool = True
    device: str = "cpu"


@dataclass(frozen=True)
class BlenderOptions:
    samples: int = 16
    recycle_every: int = 20  # videos per Blender process


@dataclass(frozen=True)
class DatasetConfig:
    scene: SceneRules = field(default_factory=SceneRules)
    picture: PictureSize = field(default_factory=PictureSize)
    raytrace: RaytraceOptions = field(default_factory=RaytraceOptions)
    blender: BlenderOptions = field(default_factory=BlenderOptions)

    def camera(self) -> Camera:
        return Camera().resized(self.picture.width, self.picture.height)

"""Options with a closed set of values. They stand here, without what they choose from, so that `--help` and completion need
no engine; a test holds them against the tables of the library."""

from enum import StrEnum


class RendererName(StrEnum):
    """How videos are drawn."""

    RAYTRACE = "raytrace"
    BLENDER = "blender"
    NONE = "none"


class StillsRenderer(StrEnum):
    """What draws stills."""

    BLENDER = "blender"
    RAYTRACE = "raytrace"


class FramesFrom(StrEnum):
    """How frames of a dataset come about."""

    RAYTRACE = "raytrace"
    BLENDER = "blender"
    VIDEOS = "videos"


class Frames(StrEnum):
    """Where frames of a dataset come from. AUTO: its videos where it has them, else drawn by raytrace."""

    AUTO = "auto"
    VIDEOS = "videos"
    RAYTRACE = "raytrace"
    BLENDER = "blender"


class CameraChoice(StrEnum):
    """What videos are taken to be filmed with. AUTO: the camera that is given beside them; of one's own
    videos else an estimated one, of benchmarks the published one."""

    AUTO = "auto"
    PUBLISHED = "published"
    GIVEN = "given"
    ESTIMATED = "estimated"


class Split(StrEnum):
    TRAIN = "train"
    VAL = "val"
    TEST = "test"


class SplitOrAll(StrEnum):
    TRAIN = "train"
    VAL = "val"
    TEST = "test"
    ALL = "all"


class Watched(StrEnum):
    """Which videos of a set are scored: where rendering is slow, the short references are enough."""

    ALL = "all"
    TARGET = "target"
    REFERENCES = "references"

    def names(self, videos: tuple[str, ...]) -> tuple[str, ...]:
        return {Watched.ALL: videos, Watched.TARGET: videos[:1], Watched.REFERENCES: videos[1:]}[self]


class Against(StrEnum):
    """Whom a leaderboard compares all others with: the best of each column, or the system that is named first."""

    BEST = "best"
    FIRST = "first"


class TierName(StrEnum):
    """How many balls a player of PHYRE places."""

    BALL = "ball"
    TWO_BALLS = "two_balls"


class Setup(StrEnum):
    """What an agent of PHYRE is tested on: other tasks of the same templates, or other templates."""

    BALL_CROSS = "ball_cross_template"
    BALL_WITHIN = "ball_within_template"
    TWO_BALLS_CROSS = "two_balls_cross_template"
    TWO_BALLS_WITHIN = "two_balls_within_template"

    @property
    def tier(self) -> TierName:
        return TierName.TWO_BALLS if self.startswith(TierName.TWO_BALLS) else TierName.BALL


class AgentName(StrEnum):
    """Agents of PHYRE; those that end in `_o` go on learning from what they try in a test."""

    RAND = "rand"
    MEM = "mem"
    MEM_O = "mem_o"
    OPTIMAL = "optimal"
    DQN = "dqn"
    DQN_O = "dqn_o"
    OBJECT_SEARCH = "object_search"
    OBJECT_SEARCH_O = "object_search_o"


class Generalisation(StrEnum):
    """What an agent of Phy-Q is tested on: other tasks of the same templates, or other templates of the same scenarios."""

    LOCAL = "local"
    BROAD = "broad"


class ExportAs(StrEnum):
    """Layouts of other datasets that ours can be written in."""

    COMPHY_A = "comphy-a"
    COMPHY_B = "comphy-b"
    CLEVRER = "clevrer"


class Torture(StrEnum):
    """Ways to try the toolkit's robustness."""

    MUTATIONS = "mutations"
    PACKS = "packs"
    PROGRAMS = "programs"
    KILLS = "kills"
    RACES = "races"
    FULL_DISK = "full-disk"
    REQUESTS = "requests"

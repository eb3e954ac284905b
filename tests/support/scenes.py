"""Small scenes with known facts."""

import numpy as np

from comphy.programs.facts import SceneFacts
from comphy.questions.askable import AskableSet
from comphy.questions.model import Interaction
from comphy.scene.events import Event, EventKind
from comphy.scene.objects import ObjectSpec
from comphy.scene.vocabulary import Color, Material, Shape

FRAMES = 125
COLLISION, IN, OUT = EventKind.COLLISION, EventKind.IN, EventKind.OUT

RED_CUBE = ObjectSpec(Color.RED, Shape.CUBE, Material.METAL, mass=5.0)
RED_BALL = ObjectSpec(Color.RED, Shape.SPHERE, Material.METAL, charge=1)
BLUE_CUBE = ObjectSpec(Color.BLUE, Shape.CUBE, Material.RUBBER, charge=-1)
GREEN_CYLINDER = ObjectSpec(Color.GREEN, Shape.CYLINDER, Material.RUBBER)
OBJECTS = (RED_CUBE, RED_BALL, BLUE_CUBE, GREEN_CYLINDER)

VISIBLE = (
    Event(IN, 10, (1,)),
    Event(COLLISION, 30, (0, 1)),
    Event(COLLISION, 60, (1, 2)),
    Event(OUT, 90, (2,)),
)
UNSEEN = (Event(COLLISION, 140, (0, 3)),)
RUNS = {
    "mass_0_1": (Event(COLLISION, 30, (0, 1)),),
    "mass_1_5": VISIBLE[1:3],
    "mass_2_5": VISIBLE[1:3],
    "mass_3_5": VISIBLE[1:3],
    "charge_1_0": (Event(COLLISION, 30, (0, 1)), Event(COLLISION, 80, (1, 3))),
    "charge_1_-1": VISIBLE[1:3],
    "charge_2_0": (),
    "charge_2_1": VISIBLE[1:3],
}
SHOWN = (
    Interaction("target", COLLISION, 30, (0, 1)),
    Interaction("target", COLLISION, 60, (1, 2)),
    Interaction("reference_1", EventKind.ATTRACTION, 12, (1, 2)),
)


def facts(**changes: object) -> SceneFacts:
    """Red cube rests until struck at frame 30, red ball and blue cube always move, the cylinder never does."""
    moving = np.ones((FRAMES, len(OBJECTS)), bool)
    moving[:30, 0] = False
    moving[:, 3] = False
    fields = {
        "objects": OBJECTS,
        "visible": VISIBLE,
        "unseen": UNSEEN,
        "moving": moving,
        "direction": np.where(moving, 1, -1).astype(np.int8),
        "inside": np.ones_like(moving),
        "counterfactual": RUNS,
    }
    return SceneFacts(**(fields | changes))


def askable(shown: tuple[Interaction, ...] = SHOWN, index: int = 0) -> AskableSet:
    return AskableSet(index, facts(), (facts(shift=4), facts(shift=-4)), shown)

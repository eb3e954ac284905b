"""What a page is told: how a question was read, what the model says in which steps, and the motion that it imagines."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from comphy.errors import ComphyError
from comphy.toolkit.explorer.asking.steps import same, truth

if TYPE_CHECKING:
    from comphy.toolkit.asking import SeenSet
    from models.pcr.asking.question import Query
    from models.pcr.asking.reply import Reply
    from models.pcr.asking.words import Item

Json = dict[str, Any]
LIKELY: Final = 0.5


def read_record(query: "Query", root: Path, index: int) -> Json:
    """How a question was read, and what the truth says."""
    return {
        "read": {
            "program": " ".join(query.program.tokens),
            "certainty": query.certainty,
            "reading": query.reading,
            **truth(query, root, index),
        }
    }


def reply_record(seen: "SeenSet", reply: "Reply") -> Json:
    """What the model says, and in which steps it is as the truth."""
    told = truth(reply.query, seen.place.data, seen.place.index)
    by_truth = {step["number"]: step for step in told["steps"]}
    steps = [
        {
            "number": step.number,
            "call": step.call,
            "takes": list(step.takes),
            "items": [{"words": item.words, "chance": item.chance} for item in step.items],
            "same": same(step.call, _likely(step.items), by_truth.get(step.number)),
        }
        for step in reply.steps
    ]
    return {
        "reply": {
            "sentence": reply.sentence,
            "sure": reply.sure,
            "several": len(reply.verdicts) + len(reply.pairs) > 1,
            "others": [{"words": item.words, "chance": item.chance} for item in reply.answers[1:]],
            "remarks": [*reply.remarks, *(f"Assumed: {words}." for words in seen.assumptions)],
            "steps": steps,
            "imagined": imagined(seen, reply),
            "can_be_drawn": reply.can_be_drawn,
        }
    }


def _likely(items: Sequence["Item"]) -> list[str]:
    return [item.words for item in items if item.chance is None or item.chance > LIKELY]


def imagined(seen: "SeenSet", reply: "Reply") -> Json | None:
    """The motion that the model has imagined, for the objects as the target numbers them. Objects that it calls otherwise
    than they look, and frames before those that it imagines, are left as they were recorded."""
    motion = reply.predicted.motion if reply.predicted is not None else None
    if motion is None:
        return None
    import numpy as np

    from comphy.scene.vocabulary import OBJECT_RADIUS

    try:
        target = seen.place.source.annotation(seen.place.index).target
    except ComphyError:
        return None
    end = motion.start + motion.position.shape[1]
    positions = np.repeat(target.locations[-1:], end, axis=0)
    known = min(end, len(target))
    positions[:known] = target.locations[:known]
    orientations = np.zeros((*positions.shape[:2], 4))
    orientations[..., 3] = 1.0
    names = [str(spec) for spec in target.objects]
    for number, one in enumerate(seen.interpreted.objects):
        if names.count(str(one.spec)) == 1:
            k, there = names.index(str(one.spec)), motion.there[0, :, number].numpy()
            places, yaw = motion.position[0, :, number].double().numpy(), motion.yaw[0, :, number].double().numpy()
            positions[motion.start :, k][there] = np.column_stack([places, np.full(len(places), OBJECT_RADIUS)])[there]
            orientations[motion.start :, k, 2:] = np.column_stack([np.sin(yaw / 2), np.cos(yaw / 2)])
    return {"positions": np.round(positions, 3).tolist(), "orientations": np.round(orientations, 3).tolist()}

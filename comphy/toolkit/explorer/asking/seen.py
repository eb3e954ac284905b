"""What a run saw of a set: boxes and tracks of every video, where it takes objects to be, and how sure it is of all this.

Shapes: T frames, M tracks of a video, N objects of the model.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from comphy.errors import ComphyError
from comphy.toolkit.asking import SeenSet
from comphy.toolkit.explorer.catalogue import camera_record
from models.pcr.asking.interpreted_set import InterpretedSet
from models.pcr.tracks.fitted_motion import FittedMotion
from models.pcr.tracks.observed import Observed
from models.perceiver.perceived import PerceivedVideo

Json = dict[str, Any]
LIKELY: Final = 0.05  # charges of pairs that are less likely are not told
_DIGITS: Final = 3


def seen_record(seen: SeenSet) -> Json:
    """Tracks are in the model's own order; `owners` are the numbers of the model's objects, -1 for none."""
    interpreted, perceived = seen.interpreted, seen.features.read(seen.place.index)
    assert interpreted.imagination is not None
    observed = interpreted.imagination.observed
    names = seen.place.source.lengths.videos
    videos = [_video(perceived.target, observed, None)]
    videos += [_video(video, observed, number) for number, video in enumerate(perceived.references)]
    return {
        "width": perceived.width,
        "camera": camera_record(seen.camera.camera),
        "objects": _objects(seen),
        "charges": _charges(interpreted),
        "videos": [{"name": name, **video} for name, video in zip(names, videos, strict=True)],
        "assumed": seen.assumptions,
    }


def _objects(seen: SeenSet) -> list[Json]:
    """With the number of the object in the truth that is called the same, None where there is none or several."""
    try:
        known = [str(spec) for spec in seen.place.source.annotation(seen.place.index).target.objects]
    except ComphyError:
        known = []
    interpreted = seen.interpreted
    return [
        {
            "name": name,
            "chance": one.chance,
            "heavy": float(interpreted.scene.heavy[0, number]),
            "number": known.index(str(one.spec)) if known.count(str(one.spec)) == 1 else None,
        }
        for number, (name, one) in enumerate(zip(interpreted.names, interpreted.objects, strict=True))
    ]


def _charges(interpreted: InterpretedSet) -> list[Json]:
    chances = {pair: interpreted.charge(pair) for pair in interpreted.pairs}
    return [
        {"pair": list(pair), "same": same, "opposite": opposite}
        for pair, (same, opposite) in chances.items()
        if max(same, opposite) > LIKELY
    ]


def _video(video: PerceivedVideo, observed: Observed, reference: int | None) -> Json:
    """`deviation` is the standard deviation of places, if the model tells one."""
    tracks = len(video)
    motion = observed.target if reference is None else observed.references
    place = _of(motion.tracks.position, reference)[:, :tracks]
    deviation = None
    states = None if observed.states is None else _states(observed, reference)
    if states is not None:
        place, deviation = _of(states.position, reference)[:, :tracks], _of(states.deviation, reference)[:, :tracks]
    owners = range(tracks) if reference is None else observed.owners[0, reference, :tracks].tolist()
    return {
        "owners": list(owners),
        "boxes": np.round(video.boxes.astype(float), 1).tolist(),
        "detected": video.seen.astype(int).tolist(),
        "places": np.round(place, _DIGITS).tolist(),
        "deviation": None if deviation is None else np.round(deviation, _DIGITS).tolist(),
    }


def _states(observed: Observed, reference: int | None) -> FittedMotion:
    assert observed.states is not None
    return observed.states.target if reference is None else observed.states.references


def _of(tensor: Tensor, reference: int | None) -> NDArray[np.float64]:
    """Of the one set: of its target, or of one of its references."""
    found: NDArray[np.float64] = (tensor[0] if reference is None else tensor[0, reference]).double().numpy()
    return found

"""Frames of a dataset for conversations, drawn or decoded when they are needed."""

from collections import OrderedDict
from typing import Final

from comphy.dataset.frames import FrameBatches, FrameKey
from models.baselines.lvlm.prompts import Conversation, Shown
from models.llm.messages import Clip, Message, Part

_MOST_CLIPS: Final = 64  # that are kept: several questions are about one set


class Viewer:
    """Fills conversations with frames. Not for several threads at once."""

    def __init__(self, frames: FrameBatches) -> None:
        self._frames = frames
        self._clips: OrderedDict[Shown, Clip] = OrderedDict()

    def messages(self, conversation: Conversation) -> list[Message]:
        return [Message(turn.role, _content([self._part(part) for part in turn.parts])) for turn in conversation]

    def _part(self, part: str | Shown) -> Part:
        return part if isinstance(part, str) else self._clip(part)

    def _clip(self, shown: Shown) -> Clip:
        if shown not in self._clips:
            keys = [FrameKey(shown.scene, shown.video, number) for number in shown.numbers]
            self._clips[shown] = Clip(self._frames.draw(keys).cpu().numpy())
            while len(self._clips) > _MOST_CLIPS:
                self._clips.popitem(last=False)
        self._clips.move_to_end(shown)
        return self._clips[shown]


def _content(parts: list[Part]) -> str | tuple[Part, ...]:
    """Text alone is no list of parts: not every server takes one in a system turn."""
    first, *more = parts
    return first if isinstance(first, str) and not more else tuple(parts)

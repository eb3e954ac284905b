"""An image-text or video-text model of `transformers` that replies to conversations, by greedy decoding."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import torch
from PIL import Image
from transformers import AutoModelForImageTextToText, AutoProcessor

from comphy.errors import ComphyError, ConfigError
from models.baselines.lvlm.config import ShownAs
from models.llm.chat_format import formatted
from models.llm.local import ending_tokens, opening, positions
from models.llm.messages import Clip, Message, Part
from models.llm.replies import Reply

_FEWER = (
    "Show fewer or smaller frames (frames.target, frames.reference, frames.width) or fewer examples, in another --out."
)


class LocalVisionModel:
    """Implements `VisionLanguageModel`; one conversation at a time."""

    def __init__(self, model: Any, processor: Any, shown_as: str, max_tokens: int, where: str) -> None:
        self._model, self._processor, self._where = model.eval(), processor, where
        self._as_video, self._max_tokens = shown_as == ShownAs.VIDEO, max_tokens
        self._tokenizer: Any = getattr(processor, "tokenizer", None)
        if self._tokenizer is None or not getattr(processor, "chat_template", None):
            raise ConfigError(
                f"{where}: expected a model whose processor has a tokenizer and a chat template (found none). Use one that "
                "was tuned to follow instructions."
            )
        if self._as_video and getattr(processor, "video_processor", None) is None:
            raise ConfigError(
                f"{where}: expected a model that takes videos (found one of images). Use shown_as=images."
            )
        self._ends = ending_tokens(model, self._tokenizer)

    def ask(self, messages: Sequence[Message]) -> Reply:
        given = self._encode(messages)
        length, room = given["input_ids"].shape[1], positions(self._model)
        if room is not None and length + self._max_tokens > room:
            raise ConfigError(
                f"{self._where}: expected a prompt that leaves room for {self._max_tokens} tokens in the model's {room} "
                f"positions (found one of {length}). {_FEWER}"
            )
        try:
            written = self._generate(given, length)
        except torch.OutOfMemoryError as error:
            raise ComphyError(f"The GPU's memory is too small for a prompt of {length} tokens. {_FEWER}") from error
        text = self._tokenizer.decode(written, skip_special_tokens=True)
        cut_off = len(written) >= self._max_tokens and written[-1] not in self._ends
        return Reply(text, (), length, len(written), cut_off)

    @torch.inference_mode()
    def _generate(self, given: Any, length: int) -> list[int]:
        pad = self._tokenizer.pad_token_id
        found = self._model.generate(
            **given.to(self._model.device, self._model.dtype),
            do_sample=False,
            max_new_tokens=self._max_tokens,
            pad_token_id=pad if pad is not None else min(self._ends, default=None),
        )
        tokens: list[int] = found[0, length:].tolist()
        return tokens

    def _encode(self, messages: Sequence[Message]) -> Any:
        clips = [part.frames for message in messages for part in message.parts if isinstance(part, Clip)]
        text = self._chat(messages)
        start = self._tokenizer.bos_token
        options: dict[str, Any] = {"add_special_tokens": not (start and text.startswith(start))}
        if self._as_video:
            options |= {"videos": [clips], "do_sample_frames": False}
        else:
            options["images"] = [[Image.fromarray(frame) for clip in clips for frame in clip]]
        return self._processor(text=[text], return_tensors="pt", **options)

    def _chat(self, messages: Sequence[Message]) -> str:
        turns = [{"role": one.role, "content": self._content(one.parts)} for one in messages]
        apply = partial(self._processor.apply_chat_template, tokenize=False, add_generation_prompt=True)
        return formatted(apply, turns, self._where, "mend chat_template of its processor")

    def _content(self, parts: Sequence[Part]) -> list[dict[str, str]]:
        found: list[dict[str, str]] = []
        for part in parts:
            if isinstance(part, str):
                found.append({"type": "text", "text": part})
            else:
                found += [{"type": "video"}] if self._as_video else [{"type": "image"}] * len(part.frames)
        return found


def load_local_model(name: str, shown_as: str, max_tokens: int, device: torch.device) -> LocalVisionModel:
    """Load a model from a folder, or by its name from the local cache of Hugging Face. Nothing is downloaded."""
    with opening(name, "an image-text or video-text model with its processor"):
        processor = AutoProcessor.from_pretrained(name, local_files_only=True)
        model: Any = AutoModelForImageTextToText.from_pretrained(name, local_files_only=True, dtype="auto")
    return LocalVisionModel(model.to(device), processor, shown_as, max_tokens, name)

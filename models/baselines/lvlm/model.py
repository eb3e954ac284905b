"""A vision-language model behind one interface, wherever it runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from models.baselines.lvlm.config import LVLMConfig
from models.llm.endpoint import Endpoint
from models.llm.messages import Message
from models.llm.replies import Reply
from models.train.device import pick_device

KEPT: Final = "every reply so far is kept, and no question is asked twice"


class VisionLanguageModel(Protocol):
    """Replies to a conversation. May be asked by as many threads at once as the config's workers."""

    def ask(self, messages: Sequence[Message]) -> Reply: ...


@dataclass(frozen=True)
class _Settings:
    """An endpoint's part of the config."""

    model: str
    attempts: int
    timeout: float
    max_tokens: int
    key_variable: str
    logprobs: bool = False


def open_model(config: LVLMConfig) -> VisionLanguageModel:
    """Raises `ConfigError` for a name that is no model's."""
    if config.remote:
        settings = _Settings(
            config.named, config.attempts, config.timeout, config.max_tokens, key_variable=config.key_variable
        )
        return Endpoint(settings, kept=KEPT)
    from models.baselines.lvlm.local_model import load_local_model  # and transformers, which an endpoint needs not

    return load_local_model(config.local, config.frames.shown_as, config.max_tokens, pick_device(config.device))

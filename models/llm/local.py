"""Models of `transformers` on this machine: opened from folders or the local cache, never downloaded."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from comphy.errors import ConfigError


@contextmanager
def opening(name: str, expected: str) -> Iterator[None]:
    """Turns what `from_pretrained` raises into an error that says what was `expected` and how to get it."""
    try:
        yield
    except (OSError, ValueError, KeyError, ImportError, TypeError) as error:
        found = "a folder without one" if Path(name).is_dir() else "no such folder, and no such name in the local cache"
        raise ConfigError(
            f"{name}: expected {expected} in the format of transformers (found {found}: {_first_line(error)}). Nothing is "
            "downloaded; get it with `hf download NAME --local-dir FOLDER` and name it as hf:FOLDER."
        ) from None


def ending_tokens(model: Any, tokenizer: Any) -> frozenset[int]:
    """Every token that ends an answer: the model's, and the tokenizer's."""
    named = getattr(model.generation_config, "eos_token_id", None)
    found = {tokenizer.eos_token_id, *(named if isinstance(named, list) else [named])}
    return frozenset(number for number in found if number is not None)


def positions(model: Any) -> int | None:
    """How many tokens a model can attend to; None if it does not say."""
    config = model.config.get_text_config() if hasattr(model.config, "get_text_config") else model.config
    found = getattr(config, "max_position_embeddings", None)
    return found if isinstance(found, int) else None


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0][:200]

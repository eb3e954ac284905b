"""Conversations as the chat format of a model of `transformers` has them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from comphy.errors import ConfigError

Turn: TypeAlias = Mapping[str, Any]  # role, and content: a text or a list of parts


def formatted(apply: Callable[[list[Turn]], Any], turns: Sequence[Turn], where: str, mend: str) -> str:
    """The prompt that a model reads. Some formats know no system turn: the first turn then has both.

    Args:
        apply: the model's own format.
        turns: the system's first.
        where: names the model in errors.
        mend: what to do about a format that is broken.

    Raises:
        ConfigError: the format takes the turns neither way.
    """
    try:
        return str(apply(list(turns)))
    except Exception as error:
        opening, first, *rest = turns
        joined = {"role": "user", "content": _together(opening["content"], first["content"])}
        try:
            return str(apply([joined, *rest]))
        except Exception:
            raise ConfigError(
                f"{where}: its chat format cannot be used ({error}). Expected one with turns of user and assistant; {mend}."
            ) from None


def _together(first: Any, second: Any) -> Any:
    return f"{first}\n\n{second}" if isinstance(first, str) else [*first, *second]

"""How a language model is named: `hf:FOLDER` (or a name in the local cache of Hugging Face), or `http://host/v1#MODEL`."""

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

LOCAL: Final = "hf:"
KEY_VARIABLE: Final = "COMPHY_LLM_KEY"
_REMOTE: Final = re.compile(r"https?://")


@dataclass(frozen=True)
class Address:
    """Where an endpoint is, without a slash at its end, and which of its models is asked."""

    base: str
    model: str


def address(named: str) -> Address:
    """Raises `ValueError` for what is no address of an endpoint."""
    base, _, model = named.partition("#")
    parts = urlsplit(base)
    if parts.username is not None or parts.password is not None or parts.query:
        raise ValueError(
            f"model: expected an address without user, password and query; the key belongs into ${KEY_VARIABLE}"
        )
    if not parts.hostname or not model:
        raise ValueError(f"model: expected an address and a model's name, as http://host/v1#MODEL (got '{named}')")
    return Address(base.rstrip("/"), model)


def is_named(name: str) -> bool:
    """Whether a name is that of a language model itself."""
    return (name.startswith(LOCAL) and name != LOCAL) or is_remote(name)


def is_remote(name: str) -> bool:
    """Whether a name is the address of an endpoint, complete or not."""
    return _REMOTE.match(name) is not None


def check_name(name: str) -> None:
    """Raises `ValueError` for what names no model."""
    if not is_named(name):
        raise ValueError(f"model: expected hf:FOLDER or http://host/v1#MODEL (got '{name}')")
    if is_remote(name):
        address(name)

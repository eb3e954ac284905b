"""Typed configuration: YAML files and dotted overrides become dataclasses; every mistake is reported at once."""

import dataclasses
import types
import typing
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from comphy.errors import ConfigError, MissingDependency, did_you_mean

T = TypeVar("T")


def load_config(kind: type[T], path: Path, overrides: Sequence[str] = ()) -> T:
    """Read `path`, apply overrides such as `scene.max_objects=4`, and build the dataclass `kind` from the result.

    A file that has `base: other.yaml`, named from its own folder, says only what it changes of that file."""
    try:
        from omegaconf import OmegaConf
        from omegaconf.errors import OmegaConfBaseException
        from yaml import YAMLError
    except ImportError as error:
        raise MissingDependency("Reading configs needs omegaconf: pip install 'omegaconf<2.4'") from error
    try:
        merged = OmegaConf.merge(_read(path), OmegaConf.from_dotlist(list(overrides)))
        values = OmegaConf.to_container(merged, resolve=True)
    except (YAMLError, OmegaConfBaseException, ValueError) as error:
        raise ConfigError(f"{path}: not a usable config ({error}). Expected YAML with `key: value` lines.") from None
    return build(kind, values, str(path))


def _read(path: Path, readers: tuple[Path, ...] = ()) -> Any:
    """What a file says, over what its base says. `readers` are the files that have named it as their base."""
    from omegaconf import DictConfig, OmegaConf

    if not path.is_file():
        named = f" (the base of {readers[-1]})" if readers else ""
        raise ConfigError(f"{path}: no such config file{named}. Those that ship with the toolkit are in configs/.")
    if path.resolve() in (reader.resolve() for reader in readers):
        raise ConfigError(f"{path}: is its own base, by way of {readers[-1]}. Take `base` out of one of the two.")
    values = OmegaConf.load(path)
    base = values.pop("base", None) if isinstance(values, DictConfig) else None
    if base is None:
        return values
    if not isinstance(base, str):
        raise ConfigError(f"{path}: base: expected the name of a config file (got {base!r}).")
    return OmegaConf.merge(_read(path.parent / base, (*readers, path)), values)


def build(kind: type[T], values: Any, where: str) -> T:
    """A dataclass from plain data; unknown keys, wrong types and missing values are listed together.

    A dataclass may have `RENAMED: ClassVar[Mapping[str, str]]`, from keys of earlier versions to those of today: such a key
    is refused with its new name."""
    problems: list[str] = []
    result = _build(kind, values, "", problems)
    if problems:
        raise ConfigError(f"{where}: the config cannot be used:\n  - " + "\n  - ".join(problems))
    return typing.cast(T, result)


def _build(kind: Any, values: Any, prefix: str, problems: list[str]) -> Any:
    if not isinstance(values, dict):
        problems.append(f"{prefix or 'the file'}: expected a section with keys (got {values!r})")
        return None
    fields = {field.name: field for field in dataclasses.fields(kind)}
    hints = typing.get_type_hints(kind)
    renamed = getattr(kind, "RENAMED", {})
    for key in values:
        if key in renamed:
            problems.append(f"{prefix}{key}: this key is called '{renamed[key]}' now")
        elif key not in fields:
            problems.append(f"{prefix}{key}: unknown key; {did_you_mean(str(key), fields)}")
    arguments: dict[str, Any] = {}
    for name, field in fields.items():
        if name in values:
            arguments[name] = _convert(hints[name], values[name], f"{prefix}{name}", problems)
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            problems.append(f"{prefix}{name}: missing, and it has no default")
    if problems:
        return None
    try:
        return kind(**arguments)
    except ValueError as error:
        problems.append(f"{prefix.rstrip('.') or 'the file'}: {error}")
        return None


def _convert(kind: Any, value: Any, name: str, problems: list[str]) -> Any:
    if dataclasses.is_dataclass(kind):
        return _build(kind, value, f"{name}.", problems)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is types.UnionType or origin is typing.Union:
        if value is None and type(None) in arguments:
            return None
        return _convert(next(a for a in arguments if a is not type(None)), value, name, problems)
    if origin is dict and isinstance(value, dict):
        return {str(k): _convert(arguments[1], v, f"{name}.{k}", problems) for k, v in value.items()}
    if origin is tuple and isinstance(value, list):
        return tuple(_convert(arguments[0], entry, f"{name}[{k}]", problems) for k, entry in enumerate(value))
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    expected = origin or kind
    if not isinstance(value, expected) or (isinstance(value, bool) and expected is not bool):
        problems.append(f"{name}: expected {getattr(expected, '__name__', expected)} (got {value!r})")
    return value


def to_plain(config: Any) -> dict[str, Any]:
    """The dataclass as plain data, as a YAML or JSON file gives it back."""
    return dataclasses.asdict(config, dict_factory=lambda items: {key: _plain(value) for key, value in items})


def _plain(value: Any) -> Any:
    return [_plain(entry) for entry in value] if isinstance(value, (tuple, list)) else value

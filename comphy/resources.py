"""Configs and weights that ship with the toolkit, found by name from a checkout and from an installed package alike."""

import importlib.util
import os
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from comphy.errors import ConfigError, did_you_mean

CONFIGS: Final = "configs"
WEIGHTS: Final = ("models", "weights")
REASONER: Final = "reasoner.safetensors"  # in the folder of a run that can be asked
_SHARED: Final = Path("share", "comphy", CONFIGS)  # where pyproject.toml puts them in an installation
_PACKAGES: Final = Path(__file__).resolve().parents[1]


def user_cache() -> Path:
    """The user's cache folder for what can be worked out again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "comphy"


def config_folder() -> Path | None:
    """The checkout's configs, or the installed ones; None where neither exists."""
    places = [_PACKAGES / CONFIGS] if (_PACKAGES / "pyproject.toml").is_file() else []
    places += [Path(base) / _SHARED for base in _bases()]
    return next((place for place in places if place.is_dir()), None)


def _bases() -> Iterator[str | Path]:
    """Where pip puts data files: into the environment, the user's own folder, or beside the packages (pip --target)."""
    yield sysconfig.get_path("data")
    yield sysconfig.get_path("data", sysconfig.get_preferred_scheme("user"))
    yield _PACKAGES


def find_config(named: str | Path, rooms: Sequence[str]) -> Path:
    """The config file that is meant.

    Args:
        named: a path, or the name of a config that ships with the toolkit: `configs/data/comphy.yaml`, `data/comphy`,
            or `comphy` if a folder of `rooms` has it.
        rooms: folders of the shipped configs in which a bare name is looked up, first come, first served.

    Returns:
        A file that exists.

    Raises:
        ConfigError: if there is none; it lists those that ship."""
    path = Path(named)
    if path.is_file():
        return path
    folder = config_folder()
    if folder is not None:
        inside = Path(*path.parts[1:]) if path.parts[:1] == (CONFIGS,) else path
        file = inside if inside.suffix else inside.with_name(f"{inside.name}.yaml")
        rooms_of_name = [folder / room for room in rooms] if len(file.parts) == 1 else []
        for place in (folder, *rooms_of_name):
            if (place / file).is_file():
                return place / file
    raise ConfigError(f"{named}: no such config file. {_known(str(named), folder, rooms)}")


def _known(named: str, folder: Path | None, rooms: Sequence[str]) -> str:
    if folder is None:
        return "The configs of the toolkit were not installed with it; give the path of a YAML file."
    names = sorted(str(file.relative_to(folder).with_suffix("")) for room in rooms for file in folder.glob(f"{room}/*"))
    hint = did_you_mean(named.removeprefix(f"{CONFIGS}/").removesuffix(".yaml"), names)
    shipped = f"Those that ship with the toolkit: {', '.join(names)}."
    return f"{hint[0].upper()}{hint[1:]} {shipped}" if hint.startswith("did") else shipped


def find_weights(named: str | Path) -> Path:
    """The run that is meant: a path, or the name of weights that ship with the toolkit.

    Args:
        named: a path, or such as `pcr`, `pcr/perceiver` or `models/weights/pcr`.

    Returns:
        A folder or a file; the path as it was given if nothing is found, so that whoever opens it says what is missing.

    Raises:
        ConfigError: for a bare name that is neither a path nor that of weights that ship."""
    path = Path(named)
    if path.exists():
        return path
    folder = _shipped_weights()
    inside = Path(*path.parts[2:]) if path.parts[:2] == WEIGHTS else path
    if folder is not None and not path.is_absolute() and (folder / inside).exists():
        return folder / inside
    if len(path.parts) == 1 and not path.suffix:
        known = sorted(one.name for one in folder.iterdir() if one.is_dir()) if folder else []
        raise ConfigError(
            f"{named}: expected the folder of a run, or the name of weights that ship with the toolkit "
            f"(found neither). Known names: {', '.join(known) or 'none, since none were installed'}."
        )
    return path


def _shipped_weights() -> Path | None:
    """Found without importing the package, which would be slow."""
    package = importlib.util.find_spec(WEIGHTS[0])
    places = (package and package.submodule_search_locations) or []
    return next((place for one in places if (place := Path(one) / WEIGHTS[1]).is_dir()), None)

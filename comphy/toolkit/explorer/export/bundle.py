"""One classic script of the page's ES modules: browsers load no modules from disk.

Every module becomes a function that returns what it exports, called after those that it imports. The page's modules keep to
one form of imports and exports; another one is refused, so that nothing is left out silently."""

import posixpath
import re
from collections.abc import Mapping
from typing import Final

_IMPORT: Final = re.compile(r'^import \{ ([\w, ]+) \} from "(\.[^"]+)";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)
_OTHER: Final = re.compile(r"^(?:import|export)\b.*|\bimport\(.*", re.MULTILINE)


class Bundle:
    """Modules by their names below the page's folder, of which some stand `instead` of others."""

    def __init__(self, sources: Mapping[str, str], instead: Mapping[str, str]) -> None:
        self._sources, self._instead = sources, instead
        self._written: dict[str, str] = {}

    def script(self, main: str) -> str:
        """All that `main` needs, and `main` last. It may await."""
        before, code, _ = self._parts(main)
        body = f"(async () => {{\n{before}{code}}})();\n"
        return '"use strict";\n' + "".join(self._written.values()) + body

    def _parts(self, name: str) -> tuple[str, str, list[str]]:
        """What a module takes from others, its code, and what it exports."""
        source, taken = self._sources[name], []
        for names, path in _IMPORT.findall(source):
            wanted = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
            taken.append(f"const {{ {names} }} = {self._require(self._instead.get(wanted, wanted))};\n")
        code = _EXPORT.sub("", _IMPORT.sub("", source))
        strange = _OTHER.search(code)
        if strange:
            raise ValueError(f"{name}: expected named imports and exports, each in a line (got '{strange[0][:60]}').")
        return "".join(taken), code, _EXPORT.findall(source)

    def _require(self, name: str) -> str:
        """The name of what a module exports, once it is written."""
        called = re.sub(r"\W", "_", name.removesuffix(".js"))
        if name not in self._written:
            before, code, exported = self._parts(name)
            body = f"{before}{code}return {{ {', '.join(exported)} }};\n"
            self._written[name] = f"const {called} = (() => {{\n{body}}})();\n"
        return called

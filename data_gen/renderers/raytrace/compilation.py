"""Compiling the kernels where a compiler is found, and running them as they are, with one warning, where none is."""

import logging
import os
import shutil
import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

# One loop per kernel: the defaults would split it into dozens with every intermediate value written to memory.
OPTIONS: dict[str, Any] = {"max_fusion_size": 100_000, "cpp.enable_floating_point_contract_flag": "fast"}
TileArguments = tuple[Tensor | tuple[Tensor, ...], ...]

SWITCHED_OFF = ("TORCH_COMPILE_DISABLE", "TORCHDYNAMO_DISABLE")  # torch's own variables: 1 compiles nothing
EAGER_TILES = 256  # without fusion, tensors of this many tiles still fit the cache


class KernelRunner:
    """Runs functions of tiles, compiled once for any number of tiles."""

    def __init__(self, compile: bool, device: torch.device):
        self._device = device
        self._compiled: dict[Callable[..., Any], Callable[..., Any]] = {}
        self._eager = not compile or any(os.environ.get(name) == "1" for name in SWITCHED_OFF)
        # The compiler warns of a CUDA toolkit without a GPU, on which nothing here depends.
        logging.getLogger("torch.utils.cpp_extension").setLevel(logging.ERROR)
        if not self._eager and device.type == "cpu" and not _find_compiler():
            self._fall_back("no C++ compiler was found (install g++ or set CXX)")

    def __call__(self, kernel: Callable[..., Any], tiles: TileArguments, *shared: Any) -> Any:
        """Call `kernel(*tiles, *shared)`, where the tensors in `tiles` have the tiles along their first axis."""
        if not self._eager:
            try:
                return self._call_compiled(kernel, tiles, shared)
            except torch.OutOfMemoryError:
                raise
            except RuntimeError as error:
                self._fall_back(f"the kernel could not be compiled: {str(error).splitlines()[0]}")
        return _call_in_parts(kernel, tiles, shared)

    def _call_compiled(self, kernel: Callable[..., Any], tiles: TileArguments, shared: tuple[Any, ...]) -> Any:
        if kernel not in self._compiled:
            self._compiled[kernel] = torch.compile(kernel, fullgraph=True, options=OPTIONS)
        for argument in tiles:
            for tensor in (argument,) if isinstance(argument, Tensor) else argument:
                torch._dynamo.mark_dynamic(tensor, 0)
        return self._compiled[kernel](*tiles, *shared)

    def _fall_back(self, reason: str) -> None:
        self._eager = True
        warnings.warn(f"The raytrace renderer runs uncompiled, about ten times slower: {reason}.", stacklevel=3)


def _find_compiler() -> str | None:
    candidates = (os.environ.get("CXX"), "g++", "clang++", "c++")
    return next((path for name in candidates if name and (path := shutil.which(name))), None)


def _call_in_parts(kernel: Callable[..., Any], tiles: TileArguments, shared: tuple[Any, ...]) -> Any:
    size = next(len(argument) for argument in tiles if isinstance(argument, Tensor))
    parts = [kernel(*_part(tiles, i), *shared) for i in range(0, size, EAGER_TILES)]
    if parts[0] is None:
        return None
    if isinstance(parts[0], Tensor):
        return torch.cat(parts)
    return tuple(torch.cat(channel) for channel in zip(*parts, strict=True))


def _part(tiles: TileArguments, start: int) -> TileArguments:
    part = slice(start, start + EAGER_TILES)
    return tuple(a[part] if isinstance(a, Tensor) else tuple(t[part] for t in a) for a in tiles)

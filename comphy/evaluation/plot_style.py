"""What all pictures of results have in common."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from comphy.files import disk_errors

INK: Final = "#333333"
FAINT: Final = "#dddddd"
PALETTE: Final = ("#4477aa", "#ee7733", "#228833", "#aa3377", "#66ccee", "#ccbb44", "#777777", "#bb5566")


def plain(axes: Axes) -> None:
    """No frame, no ticks; lines behind what is drawn."""
    axes.set_axisbelow(True)
    axes.tick_params(length=0, labelcolor=INK)
    for spine in axes.spines.values():
        spine.set_visible(False)


def percentages(axes: Axes, which: str) -> None:
    """From 0 to 100 with faint lines, along x or y."""
    (axes.set_xlim if which == "x" else axes.set_ylim)(0, 103)
    (axes.set_xticks if which == "x" else axes.set_yticks)(range(0, 101, 20))
    axes.grid(axis="x" if which == "x" else "y", color=FAINT, linewidth=0.8)
    plain(axes)


def write_pictures(folder: Path, pictures: Mapping[str, Figure]) -> list[Path]:
    """As PNG files of these names."""
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for file, figure in pictures.items():
            FigureCanvasAgg(figure).print_figure(folder / file, dpi=150, facecolor="white")
    return [folder / file for file in pictures]

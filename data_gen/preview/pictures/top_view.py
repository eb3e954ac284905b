"""The table from above, the camera at the bottom: paths of the target's objects, shown and hidden, and their collisions."""

from io import BytesIO

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Patch, Polygon, Rectangle
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from comphy.drawing.colors import INK, MUTED, PAPER, RULE, Rgb, edge_on_paper, readable_on
from comphy.scene.camera import Camera
from comphy.scene.objects import FPS, ObjectSpec
from comphy.scene.vocabulary import OBJECT_RADIUS, Shape
from comphy.sim.rollout import Collision
from data_gen.preview.phrases import seconds
from data_gen.preview.pictures.labels import rgb_of
from data_gen.preview.scene import PreviewSet

_FIELD: Rgb = (233, 236, 240)
# The part of the table in the plot, the same for every set: across the picture, and from far to near the camera.
_SIDE = 4.7
_FAR, _NEAR = 5.9, -4.9
_SAME_PLACE = 0.35  # collisions nearer than this share one mark
_LEGEND = 0.735  # its left edge, as a share of the figure's width
_MOST_COLLISIONS = 16  # in the list
Marks = list[tuple[NDArray[np.float64], list[str]]]


def draw_top(scene: PreviewSet) -> bytes:
    """The plot as the bytes of a PNG file."""
    figure = Figure(figsize=(11.0, 8.6), dpi=120)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.065, 0.075, 0.64, 0.85))
    axes.set_title(f"Set {scene.index}: the target from above", loc="left", fontsize=14, weight="bold", pad=10)
    _draw_table(axes, scene.camera)
    paths = to_plot(scene.target.rollout.positions)
    for number, spec in enumerate(scene.objects):
        _draw_path(axes, paths[:, number], scene.target.visible_frames, spec)
    for number, spec in enumerate(scene.objects):
        _draw_object(axes, paths[:, number], number, spec)
    for place, letters in collision_marks(scene.target.rollout.collisions):
        _draw_mark(axes, place, letters)
    _draw_legend(figure, scene)
    buffer = BytesIO()
    figure.savefig(buffer, format="png")
    return buffer.getvalue()


def to_plot(points: NDArray) -> NDArray[np.float64]:
    """World points [..., 3] to the plot [..., 2]: right as in the picture, up is away from the camera."""
    return np.stack([points[..., 1], -points[..., 0]], axis=-1)


def in_plot(points: NDArray) -> NDArray[np.bool_]:
    """Whether an object there is drawn whole."""
    edge = OBJECT_RADIUS + 0.05
    across, away = points[..., 0], points[..., 1]
    return (np.abs(across) < _SIDE - edge) & (away > _NEAR + edge) & (away < _FAR - edge)


def field_of_view(camera: Camera) -> NDArray[np.float64]:
    """Corners [4, 2] of the region in which an object on the table has its centre in the picture."""
    corners = ((0, 0), (camera.width, 0), (camera.width, camera.height), (0, camera.height))
    return to_plot(np.array([camera.ground_point(u, v, OBJECT_RADIUS) for u, v in corners]))


def collision_marks(collisions: tuple[Collision, ...]) -> Marks:
    """Where to mark collisions, and the letters of those at each place: a, b, c … in order of time."""
    marks: Marks = []
    for k, collision in enumerate(collisions):
        place = to_plot(np.array(collision.location))
        near = next((letters for other, letters in marks if np.linalg.norm(other - place) < _SAME_PLACE), None)
        if near is None:
            marks.append((place, [letter(k)]))
        else:
            near.append(letter(k))
    return [mark for mark in marks if in_plot(mark[0])]


def letter(k: int) -> str:
    """a … z, then aa, ab …"""
    return (letter(k // 26 - 1) if k >= 26 else "") + chr(ord("a") + k % 26)


def _rgb(color: Rgb) -> tuple[float, float, float]:
    red, green, blue = (channel / 255 for channel in color)
    return red, green, blue


def _draw_table(axes: Axes, camera: Camera) -> None:
    axes.set(xlim=(-_SIDE, _SIDE), ylim=(_NEAR, _FAR), aspect="equal")
    axes.set_xlabel("y, to the right in the picture", color=_rgb(MUTED))
    axes.set_ylabel("−x, away from the camera", color=_rgb(MUTED))
    axes.tick_params(colors=_rgb(MUTED))
    for spine in axes.spines.values():
        spine.set_color(_rgb(RULE))
    view = field_of_view(camera)
    axes.add_patch(Polygon(view, closed=True, facecolor=_rgb(_FIELD), edgecolor=_rgb(MUTED), linewidth=0.8))
    eye = to_plot(np.array(camera.position))
    for corner in view[2:]:
        axes.plot(*np.stack([eye, corner]).T, color=_rgb(RULE), linewidth=1)
    axes.add_patch(Polygon(eye + np.array([(-0.2, -0.14), (0.2, -0.14), (0.0, 0.2)]), facecolor=_rgb(INK), zorder=3))
    axes.annotate("camera", (eye[0], eye[1]), (12, -3), textcoords="offset points", fontsize=10, color=_rgb(MUTED))


def _draw_path(axes: Axes, path: NDArray, visible: int, spec: ObjectSpec) -> None:
    """Solid while shown, dashed after, and a dot every second."""
    color = _rgb(rgb_of(spec))
    edge = [withStroke(linewidth=3.2, foreground=_rgb(edge_on_paper(rgb_of(spec))))]
    axes.plot(*path[:visible].T, color=color, linewidth=2, path_effects=edge, solid_capstyle="round")
    axes.plot(*path[visible - 1 :].T, color=color, linewidth=1.6, linestyle=(0, (4, 3)), path_effects=edge)
    axes.plot(*path[::FPS].T, "o", markersize=4.5, color=color, markeredgecolor=_rgb(PAPER), markeredgewidth=0.8)


def _draw_object(axes: Axes, path: NDArray, number: int, spec: ObjectSpec) -> None:
    """The object in its true size where it starts, or where it first comes into the plot."""
    inside = in_plot(path)
    if not inside.any():
        return
    place = path[int(np.argmax(inside))]
    color, radius = rgb_of(spec), OBJECT_RADIUS
    if spec.shape is Shape.CUBE:
        outline: Patch = Rectangle((place[0] - radius, place[1] - radius), 2 * radius, 2 * radius)
    else:
        outline = Circle((place[0], place[1]), radius)
    outline.set(facecolor=_rgb(color), edgecolor=_rgb(readable_on(color)), linewidth=1.2, zorder=4)
    axes.add_patch(outline)
    words = axes.text(place[0], place[1], str(number), ha="center", va="center_baseline")
    words.set(color=_rgb(readable_on(color)), fontsize=10, weight="bold", zorder=5)


def _draw_mark(axes: Axes, place: NDArray, letters: list[str]) -> None:
    axes.plot(*place, "X", markersize=9, color=_rgb(INK), markeredgecolor=_rgb(PAPER), zorder=6)
    halo = [withStroke(linewidth=3, foreground=_rgb(PAPER))]
    axes.annotate(
        " ".join(letters),
        (place[0], place[1]),
        (8, 8),
        textcoords="offset points",
        fontsize=11,
        weight="bold",
        path_effects=halo,
        zorder=7,
    )


def _draw_legend(figure: Figure, scene: PreviewSet) -> None:
    objects: list[Line2D | Patch] = [
        Patch(facecolor=_rgb(rgb_of(spec)), edgecolor=_rgb(edge_on_paper(rgb_of(spec))), label=f"{number}  {spec}")
        for number, spec in enumerate(scene.objects)
    ]
    signs: list[Line2D | Patch] = [
        Line2D([], [], color=_rgb(INK), linewidth=2, label="shown, 0 to 5 s"),
        Line2D([], [], color=_rgb(INK), linewidth=1.6, linestyle=(0, (4, 3)), label="hidden future, 5 to 7 s"),
        Line2D([], [], color=_rgb(INK), marker="o", markersize=4.5, linestyle="", label="every second"),
        Patch(facecolor=_rgb(_FIELD), edgecolor=_rgb(MUTED), label="what the camera sees"),
    ]
    top = _draw_key(figure, 0.925, "Objects", objects)
    top = _draw_key(figure, top, "Signs", signs)
    _draw_collision_list(figure, top, scene)


def _draw_key(figure: Figure, top: float, title: str, handles: list[Line2D | Patch]) -> float:
    """One part of the legend; returns where the next one begins."""
    figure.legend(
        handles=handles,
        title=title,
        loc="upper left",
        bbox_to_anchor=(_LEGEND - 0.01, top),
        frameon=False,
        alignment="left",
        title_fontproperties={"weight": "bold"},
    )
    return top - 0.028 * len(handles) - 0.062


def _draw_collision_list(figure: Figure, top: float, scene: PreviewSet) -> None:
    collisions = scene.target.rollout.collisions
    lines = [_collision_line(k, collision, scene) for k, collision in enumerate(collisions[:_MOST_COLLISIONS])]
    if len(collisions) > len(lines):
        lines.append(f"… and {len(collisions) - len(lines)} more")
    figure.text(_LEGEND, top - 0.014, "Collisions" if lines else "No collisions", weight="bold", va="top")
    rows = figure.text(_LEGEND, top - 0.048, "\n".join(lines), va="top", linespacing=1.7)
    rows.set(family="DejaVu Sans Mono", fontsize=9.5)


def _collision_line(k: int, collision: Collision, scene: PreviewSet) -> str:
    frame = collision.step // scene.target.rollout.steps_per_frame
    hidden = "  (hidden)" if frame >= scene.target.visible_frames else ""
    return f"{letter(k):2} {seconds(frame)}   {collision.pair[0]} – {collision.pair[1]}{hidden}"

"""The ray tracer against independent formulas: outlines, ground light, shadows, colours; and its promises on batches."""

import subprocess
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from comphy.scene.camera import Camera
from comphy.scene.clip import Clip
from comphy.scene.objects import ObjectSpec
from comphy.scene.silhouette import instance_masks
from comphy.scene.vocabulary import OBJECT_RADIUS, RGB, Color, Material, Shape
from data_gen.renderers.look import FILL, GROUND_ALBEDO, LIGHTS, SUN_DIRECTION, SUN_STRENGTH, WORLD_RADIANCE
from data_gen.renderers.raytrace import renderer as raytrace
from data_gen.renderers.raytrace.compilation import SWITCHED_OFF
from data_gen.renderers.raytrace.renderer import RaytraceRenderer, RaytraceSettings, pack_clips
from data_gen.renderers.raytrace.tile_culling import TileList, WorkLists

SMALL = Camera().resized(96, 64)
MEDIUM = Camera().resized(240, 160)


@pytest.fixture(scope="module")
def renderer() -> Iterator[RaytraceRenderer]:
    made = RaytraceRenderer(RaytraceSettings(compile=False))
    yield made
    made.close()


def spec(shape: Shape, color: Color = Color.RED, material: Material = Material.RUBBER) -> ObjectSpec:
    return ObjectSpec(color, shape, material)


def still(specs: list[ObjectSpec], positions: Any, turns: Rotation | None = None, frames: int = 1) -> Clip:
    """A clip in which nothing moves."""
    quaternions = (turns or Rotation.identity(len(specs))).as_quat().reshape(-1, 4)
    places = np.asarray(positions, float).reshape(-1, 3)
    return Clip(tuple(specs), np.repeat(places[None], frames, 0), np.repeat(quaternions[None], frames, 0))


def crowd(seed: int, count: int, frames: int = 1) -> Clip:
    """Random objects on the ground, moving a little."""
    rng = np.random.default_rng(seed)
    kinds = [(c, s, m) for c in Color for s in Shape for m in Material]
    specs = [ObjectSpec(*kinds[i]) for i in rng.choice(len(kinds), count, replace=False)]
    places = rng.uniform((-2.5, -2.0, 0.2), (1.5, 2.0, 0.2), (count, 3))
    clip = still(specs, places, Rotation.from_euler("z", rng.uniform(0, 6, (count, 1))), frames)
    drift = np.linspace(0, 0.3, frames)[:, None, None] * rng.normal(size=(1, count, 3)) * (1, 1, 0)
    return Clip(clip.objects, clip.positions + drift, clip.orientations)


def draw(renderer: RaytraceRenderer, clip: Clip, camera: Camera = SMALL) -> NDArray[np.uint8]:
    return next(iter(renderer.render([clip], camera)))


def coloured(clip: Clip, camera: Camera) -> NDArray[np.bool_]:
    """[F, H, W]: pixels whose centre shows an object that is not gray. The ground is neutral: all channels are equal."""
    centres = RaytraceRenderer(RaytraceSettings(compile=False, samples=1))
    return np.ptp(draw(centres, clip, camera), axis=-1) > 0


def box_of(mask: NDArray[np.bool_]) -> NDArray[np.float64]:
    """u0, v0, u1, v1 of the pixels in a mask."""
    v, u = np.nonzero(mask)
    return np.array([u.min(), v.min(), u.max() + 1, v.max() + 1], float)


def to_srgb(linear: float) -> float:
    return 255 * (12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055)


def from_srgb(values: Any) -> NDArray[np.float64]:
    v = np.asarray(values, float) / 255
    return np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)


def to_lab(values: Any) -> NDArray[np.float64]:
    """8-bit sRGB to CIE L*a*b* (D65)."""
    matrix = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    x, y, z = np.cbrt(from_srgb(values) @ np.transpose(matrix) / (0.9505, 1.0, 1.089)).T
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], -1)


@pytest.mark.parametrize("place", [(0.0, 0.0, 0.2), (-2.3, 1.7, 0.2), (1.3, -1.0, 0.5)])
def test_sphere_outline_is_the_projected_ellipse(place: tuple[float, float, float]) -> None:
    x, y, z = np.stack(MEDIUM.axes()) @ (np.array(place) - MEDIUM.position)
    r, center = OBJECT_RADIUS, np.array([MEDIUM.width, MEDIUM.height]) / 2
    slopes = [
        [(c * z + sign * r * np.sqrt(c * c + z * z - r * r)) / (z * z - r * r) for c in (x, y)] for sign in (-1, 1)
    ]
    expected = (center + MEDIUM.focal * np.array(slopes)).ravel()
    seen = coloured(still([spec(Shape.SPHERE)], place), MEDIUM)[0]
    assert np.abs(box_of(seen) - expected).max() <= 1.0


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("shape", [Shape.CUBE, Shape.CYLINDER])
def test_outline_contains_exactly_the_projected_edges(shape: Shape, seed: int) -> None:
    turn = Rotation.from_euler("z", 0.3) if seed == 0 else Rotation.random(1, np.random.default_rng(seed))
    angle = np.linspace(0, 2 * np.pi, 400)
    ring = np.stack([np.cos(angle), np.sin(angle), np.ones_like(angle)], -1)
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    edge = corners if shape is Shape.CUBE else np.concatenate([ring, ring * (1, 1, -1)])
    place = np.array([0.4, -0.6, 0.35])
    points, _ = MEDIUM.project(place + OBJECT_RADIUS * turn.apply(edge))
    expected = np.concatenate([points.min(0), points.max(0)])
    seen = coloured(still([spec(shape)], place, turn), MEDIUM)[0]
    assert np.abs(box_of(seen) - expected).max() <= 1.0


def test_nearer_object_hides_the_farther(renderer: RaytraceRenderer) -> None:
    objects = [spec(Shape.SPHERE, Color.RED), spec(Shape.SPHERE, Color.BLUE)]
    clip = still(objects, [(-0.5, 0.05, 0.2), (0.5, 0.0, 0.5)])
    red, _, blue = np.moveaxis(draw(renderer, clip, MEDIUM)[0].astype(int), -1, 0)
    (u, v), _ = MEDIUM.project(clip.positions[0, 1])
    assert blue[int(v), int(u)] > red[int(v), int(u)]
    assert (red > blue).any()


def test_ground_has_the_light_of_the_shared_look(renderer: RaytraceRenderer) -> None:
    frame = draw(renderer, still([], np.zeros((0, 3)), Rotation.identity(0)))[0]
    for u, v in ((5, 3), (48, 32), (80, 10), (20, 60)):
        point = SMALL.ground_point(u + 0.5, v + 0.5)
        white = WORLD_RADIANCE + SUN_STRENGTH / np.pi * SUN_DIRECTION[2] / np.linalg.norm(SUN_DIRECTION)
        for light in LIGHTS:
            offset = np.array(light.position) - point
            distance = np.linalg.norm(offset)
            facing = max(offset @ np.array(light.position), 0) / np.linalg.norm(light.position) / distance
            white += light.watts / (4 * np.pi) * facing * offset[2] / distance / distance**2
        assert frame[v, u] == pytest.approx(to_srgb(float(GROUND_ALBEDO * white)), abs=1.5)


def test_shadows_darken_the_ground_where_a_light_is_hidden(renderer: RaytraceRenderer) -> None:
    place, source = np.array([0.0, 0.0, OBJECT_RADIUS]), np.array(FILL.position)
    fallen = source + (place - source) * source[2] / (source[2] - place[2])
    (u, v), _ = MEDIUM.project(fallen)
    clip = still([spec(Shape.SPHERE)], place)
    assert not coloured(clip, MEDIUM)[0, int(v), int(u)]
    unlit = RaytraceRenderer(RaytraceSettings(compile=False, shadows=False))
    with_shadows, without = (draw(r, clip, MEDIUM)[0].astype(int) for r in (renderer, unlit))
    assert (with_shadows[int(v), int(u)] < without[int(v), int(u)] - 5).all()
    assert (with_shadows <= without + 1).all()
    assert (with_shadows[:, :40] == without[:, :40]).all()  # far to the left nothing changes


@pytest.mark.parametrize("shape", list(Shape))
def test_metal_and_rubber_differ_at_a_glance(renderer: RaytraceRenderer, shape: Shape) -> None:
    spread = {}
    for material in Material:
        clip = still([spec(shape, Color.BLUE, material)], (0.5, 0.2, 0.2), Rotation.from_euler("z", 0.5))
        inside = instance_masks(clip, 0, MEDIUM) == 1
        light = from_srgb(draw(renderer, clip, MEDIUM)[0][inside]).mean(-1)
        spread[material] = np.subtract(*np.percentile(light, [98, 2])) / np.median(light)
    assert spread[Material.METAL] > 1.2 * spread[Material.RUBBER]


@pytest.mark.parametrize("material", list(Material))
def test_every_colour_is_nearest_to_itself(renderer: RaytraceRenderer, material: Material) -> None:
    palette = to_lab(list(RGB.values()))
    for shape in Shape:
        for i, color in enumerate(RGB):
            clip = still([spec(shape, color, material)], (0.8, 0.0, 0.2))
            inside = instance_masks(clip, 0, SMALL) == 1
            seen = to_lab(draw(renderer, clip)[0][inside]).mean(0)
            distance = np.linalg.norm((palette - seen) * (0.4, 1, 1), axis=-1)  # light and shade change L* most
            assert distance.argmin() == i, (color, shape)


def test_frames_do_not_depend_on_the_batch(renderer: RaytraceRenderer) -> None:
    clips = [crowd(1, 5, 3), crowd(2, 2, 2), crowd(3, 6, 2)]
    together = list(renderer.render(clips, SMALL))
    one_by_one = RaytraceRenderer(RaytraceSettings(compile=False, frames_per_call=1))
    assert [f.shape for f in together] == [(len(c), 64, 96, 3) for c in clips]
    for clip, frames in zip(clips, together, strict=True):
        assert frames.dtype == np.uint8
        np.testing.assert_array_equal(draw(renderer, clip), frames)
        np.testing.assert_array_equal(draw(one_by_one, clip), frames)


def test_frames_per_call_bounds_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes, real = [], raytrace.list_tiles

    def spy(scene: Any, table: Any, camera: Camera) -> WorkLists:
        sizes.append(len(scene))
        return real(scene, table, camera)

    monkeypatch.setattr(raytrace, "list_tiles", spy)
    draw(RaytraceRenderer(RaytraceSettings(compile=False, frames_per_call=2)), crowd(0, 2, 5))
    assert sizes == [2, 2, 1]


@pytest.mark.parametrize("seed", range(3))
def test_tracing_only_windows_changes_nothing(
    renderer: RaytraceRenderer, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    clip = crowd(seed, 6)
    windowed = draw(renderer, clip, MEDIUM)

    def everything(scene: Any, table: Any, camera: Camera) -> WorkLists:
        matters = torch.ones(len(scene), 20 * 30, table.shape[1], dtype=torch.bool)
        matters[..., -1] = False
        none = matters & False
        return WorkLists(TileList.of(none, none), TileList.of(none, none), TileList.of(matters, matters, matters))

    monkeypatch.setattr(raytrace, "list_tiles", everything)
    difference = np.abs(draw(renderer, clip, MEDIUM).astype(int) - windowed)
    assert difference.max() <= 2  # the ground is sampled once in windows, four times here


def test_more_samples_smooth_the_edges() -> None:
    clip = crowd(5, 5)
    one, four, many = (
        draw(RaytraceRenderer(RaytraceSettings(compile=False, samples=n)), clip).astype(float) for n in (1, 4, 64)
    )
    assert np.abs(four - many).mean() < 0.6 * np.abs(one - many).mean()


def test_packed_scenes_render_to_tensors(renderer: RaytraceRenderer) -> None:
    clips = [crowd(1, 5, 2), crowd(2, 3, 1)]
    frames = renderer.render_batch(pack_clips(clips), SMALL)
    assert frames.dtype == torch.uint8 and frames.device.type == "cpu"
    np.testing.assert_array_equal(frames.numpy(), np.concatenate(list(renderer.render(clips, SMALL))))


def test_any_image_size_and_objects_out_of_sight(renderer: RaytraceRenderer) -> None:
    odd = Camera().resized(90, 60)
    cubes = [spec(Shape.CUBE, color) for color in (Color.RED, Color.GREEN, Color.BLUE)]
    clip = still(cubes, [(0.0, 0.0, 0.2), (4.0, 0.0, 0.2), (9.0, 0.0, 2.5)])
    assert draw(renderer, clip, odd).shape == (1, 60, 90, 3)
    seen = coloured(clip, odd)
    assert seen.any() and (draw(renderer, clip, odd)[seen].argmax(axis=-1) == 0).all()
    assert draw(renderer, clip.frames([]), odd).shape == (0, 60, 90, 3)


@pytest.mark.usefixtures("compiling")
def test_without_a_compiler_it_warns_once_and_draws_the_same(
    renderer: RaytraceRenderer, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    clip = crowd(4, 3)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        bare = RaytraceRenderer(RaytraceSettings(compile=True))
        frames = [draw(bare, clip) for _ in range(2)]
    assert [w.category for w in caught] == [UserWarning]
    assert "compiler" in str(caught[0].message)
    for frame in frames:
        np.testing.assert_array_equal(frame, draw(renderer, clip))


@pytest.mark.usefixtures("compiling")
def test_a_failing_compiler_warns_once_too(renderer: RaytraceRenderer, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("Python.h not found")

    monkeypatch.setattr(torch, "compile", lambda *_, **__: broken)
    clip = crowd(4, 3)
    with pytest.warns(UserWarning, match=r"Python\.h not found") as caught:
        frame = draw(RaytraceRenderer(RaytraceSettings(compile=True)), clip)
    assert len(caught) == 1
    np.testing.assert_array_equal(frame, draw(renderer, clip))


@pytest.mark.usefixtures("compiling")
@pytest.mark.parametrize("name", SWITCHED_OFF)
def test_where_torch_compiles_nothing_it_draws_the_same(
    renderer: RaytraceRenderer, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "1")
    monkeypatch.delattr(torch, "compile")
    clip = crowd(4, 3)
    np.testing.assert_array_equal(draw(RaytraceRenderer(), clip), draw(renderer, clip))


@pytest.mark.slow
@pytest.mark.usefixtures("compiling")
def test_compiled_frames_are_the_same_and_repeatable(renderer: RaytraceRenderer) -> None:
    fast = RaytraceRenderer(RaytraceSettings(compile=True))
    clips = [crowd(6, 5, 3), crowd(7, 2, 1)]
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        first = list(fast.render(clips, SMALL))
    for clip, frames in zip(clips, first, strict=True):
        np.testing.assert_array_equal(draw(fast, clip), frames)
        difference = np.abs(draw(renderer, clip).astype(int) - frames)
        assert (difference > 2).mean() < 0.002


@pytest.mark.parametrize("wrong", [{"samples": 0}, {"frames_per_call": 0}])
def test_impossible_settings_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        RaytraceSettings(**wrong)  # type: ignore[arg-type]


@pytest.mark.slow
def test_it_needs_no_engine() -> None:
    blocked = ("pybullet", "bpy", "omegaconf", "av")
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({blocked!r}));"
        "from data_gen.renderers.raytrace.renderer import RaytraceRenderer; print(RaytraceRenderer.name)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "raytrace"

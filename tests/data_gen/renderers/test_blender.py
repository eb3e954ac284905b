"""The Blender renderer against independent geometry, and its process against crashes, hangs and a lost host."""

import colorsys
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray
from scipy.ndimage import label
from scipy.spatial.transform import Rotation

from comphy.errors import MissingDependency, RenderError
from comphy.scene.camera import Camera
from comphy.scene.clip import Clip
from comphy.scene.objects import ObjectSpec
from comphy.scene.silhouette import instance_masks
from comphy.scene.vocabulary import OBJECT_RADIUS, RGB, Color, Material, Shape
from data_gen.renderers import look
from data_gen.renderers.blender.renderer import BlenderProcess, BlenderRenderer, BlenderSettings
from tests.support.waiting import HANG_S, wait_until

CAMERA = Camera()
SMALL = CAMERA.resized(120, 80)
QUICK = BlenderSettings(samples=2)
PRIMARIES = (Color.RED, Color.GREEN, Color.BLUE)


@pytest.fixture(scope="module")
def renderer() -> Iterator[BlenderRenderer]:
    with BlenderRenderer(QUICK) as made:
        yield made


def make_clip(objects: list[ObjectSpec], positions: ArrayLike, rotations: Rotation | None = None) -> Clip:
    """Positions are [frames, objects, 2 or 3]; z defaults to lying on the ground."""
    places = np.asarray(positions, float)
    if places.shape[-1] == 2:
        places = np.concatenate([places, np.full((*places.shape[:-1], 1), OBJECT_RADIUS)], axis=-1)
    quaternions = np.zeros((*places.shape[:-1], 4))
    quaternions[..., 3] = 1.0
    if rotations is not None:
        quaternions[:] = rotations.as_quat().reshape(quaternions.shape)
    return Clip(tuple(objects), places, quaternions)


def one_cube(frames: int = 1) -> Clip:
    return make_clip([ObjectSpec(Color.RED, Shape.CUBE, Material.RUBBER)], [[[0.0, 0.1 * i]] for i in range(frames)])


def expected_box(shape: Shape, position: NDArray, quaternion: NDArray) -> NDArray:
    """The box u0, v0, u1, v1 around the outline of an ideal solid."""
    if shape is Shape.SPHERE:
        return sphere_box(position)
    r = OBJECT_RADIUS
    if shape is Shape.CUBE:
        local = np.array([(x, y, z) for x in (-r, r) for y in (-r, r) for z in (-r, r)])
    else:
        turn = np.linspace(0, 2 * np.pi, 720)
        local = np.array([(r * np.cos(a), r * np.sin(a), z) for a in turn for z in (-r, r)])
    pixels, _ = CAMERA.project(Rotation.from_quat(quaternion).apply(local) + position)
    return np.concatenate([pixels.min(axis=0), pixels.max(axis=0)])


def sphere_box(centre: NDArray) -> NDArray:
    """From the planes through the eye that touch the sphere: an angle of asin(r / distance) to either side."""
    right, down, forward = CAMERA.axes()
    offset = centre - np.asarray(CAMERA.position)
    ends = []
    for axis in (right, down):
        across, along = offset @ axis, offset @ forward
        middle, half = np.arctan2(across, along), np.arcsin(OBJECT_RADIUS / np.hypot(across, along))
        ends.append(CAMERA.focal * np.tan([middle - half, middle + half]))
    (u0, u1), (v0, v1) = ends
    return np.array([u0, v0, u1, v1]) + np.tile([CAMERA.width / 2, CAMERA.height / 2], 2)


def primary_mask(frame: NDArray, channel: int) -> NDArray:
    """[H, W]: where a matte object of one of the PRIMARIES is seen. Single pixels of the grey ground are coloured too, by
    light that an object reflects, so the largest connected component is taken."""
    saturated = np.ptp(frame, axis=-1) > 0.3 * frame.max(axis=-1)
    components, _ = label(saturated & (frame.argmax(axis=-1) == channel))
    return components == 1 + np.bincount(components.ravel())[1:].argmax()


def box_of(mask: NDArray) -> NDArray:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return np.array([columns[0], rows[0], columns[-1] + 1, rows[-1] + 1])


@pytest.mark.blender
def test_outlines_agree_with_projected_geometry(renderer: BlenderRenderer) -> None:
    """Spots over the whole view; yaws, and in the last two frames bodies tipped in every direction."""
    objects = [ObjectSpec(color, shape, Material.RUBBER) for color, shape in zip(PRIMARIES, Shape, strict=True)]
    spots = [[-1.9, -1.8], [0.2, 0.0], [1.4, 0.9]]
    heights = [OBJECT_RADIUS] * 4 + [2 * OBJECT_RADIUS] * 2  # tipped ones would reach into the ground
    positions = [[(*spots[(i + f) % 3], heights[f]) for i in range(3)] for f in range(6)]
    yaws = Rotation.from_euler("z", [[a] for a in (0, 0, 0, 30, 45, 60, 45, 10, 80, -20, 20, 5)], degrees=True)
    tipped = Rotation.random(6, random_state=0)
    clip = make_clip(objects, positions, Rotation.concatenate([yaws, tipped]))
    (frames,) = renderer.render([clip], CAMERA)
    assert frames.shape == (6, 320, 480, 3) and frames.dtype == np.uint8
    for frame, poses in enumerate(zip(clip.positions, clip.orientations, strict=True)):
        for i, (position, quaternion) in enumerate(zip(*poses, strict=True)):
            wanted = expected_box(objects[i].shape, position, quaternion)
            error = np.abs(box_of(primary_mask(frames[frame], i)) - wanted).max()
            assert error < 2.0, f"{objects[i].shape} in frame {frame}: expected {wanted}, error {error:.2f} px"


@pytest.mark.blender
def test_nearer_objects_hide_farther_ones(renderer: BlenderRenderer) -> None:
    objects = [ObjectSpec(color, Shape.CUBE, Material.RUBBER) for color in (Color.RED, Color.BLUE)]
    (frames,) = renderer.render([make_clip(objects, [[[1.0, 0.0], [0.55, 0.0]]])], SMALL)
    red, blue = (primary_mask(frames[0], PRIMARIES.index(color)) for color in (Color.RED, Color.BLUE))
    assert red.sum() > 2 * blue.sum() > 0


@pytest.mark.blender
def test_same_clip_gives_same_bytes(renderer: BlenderRenderer) -> None:
    other = make_clip([ObjectSpec(Color.CYAN, Shape.SPHERE, Material.METAL)], [[[1.0, 0.0]]])
    first, _, second = renderer.render([one_cube(2), other, one_cube(2)], SMALL)
    assert first.shape == (2, 80, 120, 3) and first.dtype == np.uint8
    assert np.array_equal(first, second) and not np.array_equal(first[0], first[1])


@pytest.mark.blender
@pytest.mark.parametrize("material", Material)
def test_colours_are_recognisable(renderer: BlenderRenderer, material: Material) -> None:
    objects = [ObjectSpec(color, shape, material) for color in Color for shape in (Shape.CUBE, Shape.SPHERE)]
    places = [[1.2 - 0.8 * (i // 4), -1.05 + 0.7 * (i % 4)] for i in range(len(objects))]
    clip, camera = make_clip(objects, [places]), CAMERA.resized(240, 160)
    (frames,), masks = renderer.render([clip], camera), instance_masks(clip, 0, camera)
    hues = {color: colorsys.rgb_to_hsv(*rgb)[0] for color, rgb in RGB.items() if color is not Color.GRAY}
    for i, spec in enumerate(objects):
        hue, saturation, _ = colorsys.rgb_to_hsv(*frames[0][masks == i + 1].mean(axis=0) / 255)
        nearest = min(hues, key=lambda color: abs((hue - hues[color] + 0.5) % 1 - 0.5))
        assert (Color.GRAY if saturation < 0.15 else nearest) is spec.color, f"{spec}: {hue:.2f} {saturation:.2f}"


@pytest.mark.blender
def test_exposure_shows_a_light_grey_ground_brightest_at_the_upper_left(renderer: BlenderRenderer) -> None:
    (frames,) = renderer.render([make_clip([], np.empty((1, 0, 2)))], SMALL)
    ground = frames[0].reshape(10, 8, 15, 8, 3).mean(axis=(1, 3, 4))  # blocks of 8 x 8 pixels, against the noise
    assert 140 < ground.mean() < 190 and ground.max() < 250 and ground.min() > 100
    assert ground[1:3, :4].mean() > ground[1:3, -4:].mean() + 10


@pytest.mark.blender
def test_ground_at_the_origin_is_as_bright_as_the_lights_make_it(renderer: BlenderRenderer) -> None:
    """All lights face the origin and are far away for their size; a square of W watts shines as W / 4 would there."""
    (frames,) = renderer.render([make_clip([], np.empty((1, 0, 2)))], SMALL)
    distances = [np.linalg.norm(light.position) for light in look.LIGHTS]
    received = sum(
        light.watts / 4 * light.position[2] / r**3 for light, r in zip(look.LIGHTS, distances, strict=True)
    ) + look.SUN_STRENGTH * look.SUN_DIRECTION[2] / np.linalg.norm(look.SUN_DIRECTION)
    radiance = look.GROUND_ALBEDO * (received / np.pi + look.WORLD_RADIANCE)
    level = frames[0, 36:44, 56:64].mean() / 255
    assert ((level + 0.055) / 1.055) ** 2.4 == pytest.approx(radiance, rel=0.04)


@pytest.mark.blender
def test_blender_is_replaced_after_some_videos() -> None:
    with BlenderRenderer(BlenderSettings(samples=1, recycle_every=2)) as renderer:
        pids = [renderer.pid for _ in renderer.render([one_cube()] * 3, SMALL)]
    assert pids[0] == pids[1] != pids[2]
    assert renderer.pid is None and not any(alive(pid) for pid in pids if pid)


@pytest.mark.blender
def test_killed_blender_is_an_error_with_its_log_and_the_next_clip_works() -> None:
    with BlenderRenderer(BlenderSettings(samples=1)) as renderer:
        list(renderer.render([one_cube()], SMALL))
        assert renderer.pid
        threading.Timer(0.5, os.kill, (renderer.pid, signal.SIGKILL)).start()
        with pytest.raises(RenderError, match=r"(?s)exit status -9.*End of Blender's log:\n.*(Fra:|Saved: )"):
            list(renderer.render([one_cube(500)], CAMERA))
        assert len(list(renderer.render([one_cube()], SMALL))) == 1


@pytest.mark.blender
def test_blender_and_its_folder_go_when_the_host_dies(tmp_path: Path) -> None:
    host = (
        "import os, tests.data_gen.renderers.test_blender as t\n"
        "r = t.BlenderRenderer(t.QUICK); next(r.render([t.one_cube()], t.SMALL)); print(r.pid, flush=True)\n"
        "next(r.render([t.one_cube(500)], t.CAMERA))"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[3])}
    with subprocess.Popen([sys.executable, "-c", host], stdout=subprocess.PIPE, env=environment, text=True) as process:
        assert process.stdout
        pid = int(process.stdout.readline())
        assert alive(pid) and any(tmp_path.iterdir())
        process.kill()
    wait_until(lambda: not alive(pid))
    assert not list(tmp_path.glob("comphy-*"))


def alive(pid: int) -> bool:
    """Whether the process runs; one that has ended and waits for its parent does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def fake_blender(folder: Path, body: str, patience: float = HANG_S) -> BlenderSettings:
    script = folder / "fake-blender"
    script.write_text(f"#!/bin/sh\n{body}\n")
    script.chmod(0o755)
    return BlenderSettings(executable=str(script), patience=patience)


def test_missing_blender_names_the_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("COMPHY_BLENDER", raising=False)
    monkeypatch.setattr("data_gen.renderers.blender.renderer._has_bpy", lambda: False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingDependency, match=r"pip install 'comphy\[blender\]'.*apt-get install"):
        BlenderRenderer()
    with pytest.raises(MissingDependency, match=r"/no/such/blender.*the setting"):
        BlenderRenderer(BlenderSettings(executable="/no/such/blender"))
    monkeypatch.setenv("COMPHY_BLENDER", "/nowhere/blender")
    with pytest.raises(MissingDependency, match=r"/nowhere/blender.*COMPHY_BLENDER"):
        BlenderRenderer()


def test_unsupported_version_is_named(tmp_path: Path) -> None:
    hello = 'COMPHY {"event": "hello", "version": [2, 93, 4], "pid": 1}'
    renderer = BlenderRenderer(fake_blender(tmp_path, f"echo '{hello}'; sleep 60"))
    with pytest.raises(MissingDependency, match=r"2\.93\.4"):
        next(renderer.render([one_cube()], SMALL))


def test_a_bad_start_is_an_error_with_the_log(tmp_path: Path) -> None:
    renderer = BlenderRenderer(fake_blender(tmp_path, "echo chatter >&2; exit 3"))
    with pytest.raises(RenderError, match=r"(?s)status 3.*log:\nchatter"):
        next(renderer.render([one_cube()], SMALL))


def test_a_hang_is_an_error_with_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Patience begins when it has said something."""

    def expect(process: BlenderProcess, event: str) -> dict[str, Any]:
        wait_until(process._log.read_text)
        return whole(process, event)

    whole = BlenderProcess._expect
    monkeypatch.setattr(BlenderProcess, "_expect", expect)
    renderer = BlenderRenderer(fake_blender(tmp_path, f"echo chatter >&2; sleep {HANG_S}", patience=0.01))
    with pytest.raises(RenderError, match=r"(?s)no sign of life for 0.01 s.*log:\nchatter"):
        next(renderer.render([one_cube()], SMALL))


def test_settings_below_one_are_refused() -> None:
    with pytest.raises(ValueError, match="samples of at least 1"):
        BlenderSettings(samples=0)
    with pytest.raises(ValueError, match="recycle_every of at least 1"):
        BlenderSettings(recycle_every=0)

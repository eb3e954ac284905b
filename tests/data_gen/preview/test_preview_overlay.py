"""Boxes where objects are, arrows along their motion, labels that do not hide one another."""

import numpy as np
import pytest
from PIL import Image

from comphy.drawing.colors import PAPER, readable_on
from comphy.scene.camera import Camera
from comphy.scene.vocabulary import RGB, Color
from data_gen.preview.pictures.overlay import (
    ARROW_SECONDS,
    Pen,
    annotate,
    arrow_outline,
    arrows,
    draw_arrow,
    draw_box,
    image_velocity,
    overlap,
    place_labels,
)
from data_gen.preview.pictures.write import FramesInMemory
from data_gen.preview.scene import PreviewSet

GRAY = (120, 120, 120)
RED = RGB[Color.RED]


def blank(width: int = 100, height: int = 80) -> Image.Image:
    return Image.new("RGB", (width, height), GRAY)


def test_box_surrounds_its_area():
    image = blank()
    draw_box(image, (20.0, 30.0, 60.0, 50.0), RED, line=2)
    pixels = np.asarray(image)
    assert (pixels[30:50, 20:60] == GRAY).all(), "inside stays as it was"
    for row, column in ((28, 40), (29, 40), (50, 40), (51, 40), (40, 18), (40, 19), (40, 60), (40, 61)):
        assert tuple(pixels[row, column]) == RED
    assert tuple(pixels[27, 40]) == readable_on(RED) == PAPER
    assert (pixels[:27] == GRAY).all() and (pixels[53:] == GRAY).all()


def test_image_velocity_is_the_motion_of_the_projection():
    camera, rng = Camera(), np.random.default_rng(0)
    positions, velocities = rng.uniform(-1.5, 1.5, (50, 3)), rng.normal(size=(50, 3))
    step = 1e-5
    after, _ = camera.project(positions + step * velocities)
    before, _ = camera.project(positions - step * velocities)
    np.testing.assert_allclose(
        image_velocity(positions, velocities, camera), (after - before) / (2 * step), rtol=1e-4, atol=1e-3
    )


@pytest.mark.bullet
def test_arrows_point_where_objects_go(scene: PreviewSet):
    """Against the places of the objects one frame later, which know nothing of velocities."""
    checked = 0
    for video in (scene.target, *scene.references):
        pixels, _ = scene.camera.project(video.rollout.positions)
        touch = min((c.step // video.rollout.steps_per_frame for c in video.rollout.collisions), default=20)
        for frame in range(min(touch, 20)):
            for i, (start, end) in arrows(video, frame, scene.camera).items():
                moved = pixels[frame + 1, i] - pixels[frame, i]
                arrow = end - start
                if np.linalg.norm(moved) < 0.2:
                    continue  # too slow for its direction to be told from two rounded places
                assert moved @ arrow / (np.linalg.norm(moved) * np.linalg.norm(arrow)) > 0.99
                np.testing.assert_allclose(np.linalg.norm(arrow), np.linalg.norm(moved) * 25 * ARROW_SECONDS, rtol=0.1)
                checked += 1
    assert checked > 20


def test_arrow_is_drawn_from_start_to_end():
    image = blank()
    draw_arrow(image, np.array([20.0, 40.0]), np.array([80.0, 40.0]), 4.0, RED)
    pixels = np.asarray(image)
    assert tuple(pixels[40, 40]) == RED, "the shaft"
    assert tuple(pixels[44, 68]) == RED and tuple(pixels[44, 40]) == GRAY, "a head wider than the shaft, at the end"
    assert tuple(pixels[40, 90]) == GRAY and tuple(pixels[40, 12]) == GRAY
    outline = arrow_outline(np.array([20.0, 40.0]), np.array([80.0, 40.0]), 4.0)
    assert outline[3].tolist() == [80.0, 40.0]


def test_shortest_arrows_are_left_out():
    image = blank()
    draw_arrow(image, np.array([50.0, 40.0]), np.array([52.0, 40.0]), 4.0, RED)
    assert (np.asarray(image) == GRAY).all()


def test_labels_keep_clear_of_one_another_and_of_the_edge():
    boxes = [(10.0, 10.0, 30.0, 30.0), (20.0, 12.0, 44.0, 34.0), (180.0, 2.0, 199.0, 22.0), (12.0, 28.0, 34.0, 48.0)]
    sizes = [(18.0, 14.0)] * len(boxes)
    areas = [(x, y, x + 18, y + 14) for x, y in place_labels(boxes, sizes, (200, 100))]
    for k, area in enumerate(areas):
        assert area[0] >= 0 and area[1] >= 0 and area[2] <= 200 and area[3] <= 100
        assert all(overlap(area, other) == 0 for other in areas[:k])


def test_labels_leave_arrow_heads_free():
    box, size, head = (50.0, 50.0, 70.0, 70.0), (20.0, 14.0), (48.0, 36.0, 60.0, 48.0)
    ((x, y),) = place_labels([box], [size], (200, 100), [head])
    assert overlap((x, y, x + 20, y + 14), head) == 0


def test_label_stands_above_a_lonely_box():
    ((x, y),) = place_labels([(50.0, 50.0, 70.0, 70.0)], [(20.0, 14.0)], (200, 100))
    assert x == 50 and y + 14 < 50


@pytest.mark.bullet
def test_frames_carry_boxes_in_the_colors_of_their_objects(scene: PreviewSet, frames: FramesInMemory):
    pen = Pen(width=480, label=12, line=2, arrow=3.0, hidden=True)
    image = np.asarray(annotate(frames.frames(3, "target")[0], scene.target, 0, scene.camera, pen))
    assert image.shape == (320, 480, 3)
    for i in np.flatnonzero(scene.target.visibility[0] == 1.0):
        x0, _, x1, y1 = (scene.target.boxes[0, i] * 480 / scene.camera.width).round().astype(int)
        assert tuple(image[y1, (x0 + x1) // 2]) == RGB[scene.objects[i].color], "the lower edge"

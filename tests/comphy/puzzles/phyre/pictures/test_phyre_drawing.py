"""Pictures for people: the right colours at the right places, smooth edges, balls that are seen to roll."""

import math
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from comphy.puzzles.phyre.benchmark.puzzle import Puzzle, first_puzzle
from comphy.puzzles.phyre.pictures.attempt import Attempt
from comphy.puzzles.phyre.pictures.drawing import draw_bodies, mark_of, rgb_of
from comphy.puzzles.phyre.pictures.film import LAST_FRAME_MS, film
from comphy.puzzles.phyre.pictures.sheet import COLUMNS, draw_sheet
from comphy.puzzles.phyre.templates.template import all_templates, candidates, find_template
from comphy.puzzles.phyre.world.constants import Color
from comphy.puzzles.phyre.world.observations.observation import observation, to_rgb
from comphy.puzzles.phyre.world.scene import SceneBody, posed
from comphy.puzzles.phyre.world.shapes import ball_of_radius, bar
from comphy.puzzles.phyre.world.simulation import SimulationStatus
from tests.support.two_templates import two_balls_meet


@pytest.mark.parametrize("template_id", ["00010", "00016", "00112", "00122"])
def test_a_picture_shows_what_the_observation_shows(template_id: str) -> None:
    bodies = next(candidates(find_template(template_id))).scene.bodies
    drawn = np.asarray(draw_bodies(bodies, 256)).astype(int)
    expected = to_rgb(observation(bodies)).astype(int)
    far_off = (np.abs(drawn - expected).max(axis=-1) > 130).mean()
    same = (drawn == expected).all(axis=-1).mean()
    assert far_off < 0.004, "marks, and pixels on edges"
    assert same > 0.95


@pytest.mark.parametrize("size", [64, 300, 1000])
def test_a_picture_has_any_size(size: int) -> None:
    body = SceneBody(ball_of_radius(64), 128, 128, 0.0, Color.BLACK)
    picture = draw_bodies([body], size)
    assert picture.size == (size, size)
    darkness = 1 - np.asarray(picture.convert("L")) / 255
    assert darkness.mean() == pytest.approx(math.pi / 16, rel=0.02)


def test_edges_are_smooth_and_adjoining_bodies_have_no_seam() -> None:
    tilted = SceneBody(bar(0.5), 128, 128, 0.3, Color.BLACK)
    assert len(np.unique(np.asarray(draw_bodies([tilted], 256)))) > 8
    halves = [SceneBody(bar(0.2), x, 100, 0.0, Color.BLACK) for x in (80.3, 80.3 + 51.2)]
    along = np.asarray(draw_bodies(halves, 333).convert("L"))[round((256 - 100) * 333 / 256), 75:195]
    assert not along.any()


def test_a_mark_turns_with_a_ball_that_moves() -> None:
    ball = SceneBody(ball_of_radius(40), 128, 128, 0.0, Color.BLUE)

    def middle_of_mark(body: SceneBody) -> tuple[float, float]:
        rows, columns = np.nonzero((np.asarray(draw_bodies([body], 256)) == mark_of(Color.BLUE)).all(axis=-1))
        return float(columns.mean() + 0.5), float(256 - rows.mean() - 0.5)

    assert middle_of_mark(ball) == pytest.approx((128, 150), abs=0.3)
    assert middle_of_mark(replace(ball, angle=math.pi / 2)) == pytest.approx((106, 128), abs=0.3)
    fixed = draw_bodies([replace(ball, color=Color.BLACK)], 256)
    assert fixed.getpixel((128, 106)) == rgb_of(Color.BLACK)


def test_a_sheet_has_a_scene_and_a_name_for_each_template() -> None:
    puzzles = [first_puzzle(template) for template in all_templates()[:7]]
    seven, five = draw_sheet(puzzles), draw_sheet(puzzles[:5])
    assert seven.width == five.width
    assert seven.height - five.height > seven.width / COLUMNS, "a scene and its caption"
    blank = seven.crop((seven.width // 2, five.height, seven.width, seven.height))
    assert np.asarray(blank).min() == 255, "two scenes in the second row"


def test_a_film_plays_in_real_time() -> None:
    scene = two_balls_meet()
    start = np.array([(body.x, body.y, body.angle) for body in scene.bodies])
    poses = start + np.linspace(0, 1, 62)[:, None, None] * np.array((0.0, -80.0, 1.0))
    puzzle = Puzzle("00000:000", find_template("00000"), scene, None)
    seen = Attempt(puzzle, scene.bodies, SimulationStatus.NOT_SOLVED, poses, ())
    gif = Image.open(BytesIO(film(seen, 128)))
    frames, times = [], []
    for k in range(getattr(gif, "n_frames", 1)):
        gif.seek(k)
        frames.append(np.asarray(gif.convert("RGB")).astype(int))
        times.append(gif.info["duration"])
    assert sum(times[:-1]) == pytest.approx(61 / 60 * 1000, abs=50)
    assert times[-1] == LAST_FRAME_MS
    last = np.asarray(draw_bodies(posed(scene.bodies, poses[-1]), 128)).astype(int)
    assert np.abs(frames[-1][-128:] - last).max() <= 24, "few colours, but close ones"
    assert (frames[0] != frames[-1]).any()
    assert (frames[-1][-128:][last.min(axis=-1) == 255] == 255).all(), "paper stays white"

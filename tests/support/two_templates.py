"""Two templates of the benchmark, written with the builder: 00000 and 00001."""

from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.world.constants import PX
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar


def two_balls_meet(d1: float = 0.12, d2: float = 0.09, x1: float = 0.3, x2: float = 0.6, bottom: float = 0.35) -> Scene:
    scene = SceneBuilder()
    first = scene.moving(ball(d1), centre_x=x1, bottom=bottom)
    second = scene.moving(ball(d2), centre_x=x2, bottom=bottom)
    scene.goal(first, second)
    return scene.build()


def reach_the_wall(d: float = 0.1, left: float = 0.4, above: float = 20, to_the_left: bool = True) -> Scene:
    scene = SceneBuilder()
    wall = (
        scene.fixed(bar(1.0), 90, left=0.0, bottom=0.0) if to_the_left else scene.fixed(bar(1), 90, right=1, bottom=0)
    )
    table = scene.fixed(bar(0.99 - 2 * d), centre_x=0.5, top=20 * PX)
    scene.fixed(bar(0.2), 65, right=table.left, top=table.top)
    scene.fixed(bar(0.2), -65, left=table.right, top=table.top)
    target = scene.moving(ball(d), left=left, bottom=table.top + above * PX)
    scene.goal(target, wall)
    return scene.build()

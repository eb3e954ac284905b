"""What the page can ask for: each question is a JSON object, and so is each answer.

    tiers                 tiers, their templates, and the first scene of each
    task     task         a scene, its goal in words, its neighbours, a solution where one is known
    check    task, balls  what is wrong with balls that are being placed
    attempt  task, balls  how everything moves, and what became of it
    agent    task, agent  the balls that an agent tries, one attempt after the other

Balls are lists of x, y and radius in whole pixels, y up.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from typing import Final

import numpy as np

from comphy.errors import ConfigError
from comphy.files import require
from comphy.puzzles.phyre.benchmark.puzzle import Puzzle, find_puzzle, first_puzzle, puzzle_ids
from comphy.puzzles.phyre.pictures.attempt import Attempt
from comphy.puzzles.phyre.pictures.drawing import MARK_PLACE, MARK_RADIUS, mark_of, rgb_of
from comphy.puzzles.phyre.player.game import Game
from comphy.puzzles.phyre.player.watching import Agents, WatchedAgents
from comphy.puzzles.phyre.templates.template import Template, templates_of
from comphy.puzzles.phyre.world.actions import ACTION_TIERS, LARGEST_RADIUS, SMALLEST_RADIUS, TWO_BALLS, Tier
from comphy.puzzles.phyre.world.constants import SCENE_PIXELS, STEPS_FOR_SOLUTION, STEPS_PER_SECOND, Color
from comphy.puzzles.phyre.world.placement import problems
from comphy.puzzles.phyre.world.scene import SceneBody
from comphy.puzzles.phyre.world.task_world import Ball
from comphy.puzzles.player.player import Json, Player, css

STRIDE: Final = 2  # steps between the poses that are sent; the page draws what lies between them
DIGITS: Final = 3


def phyre_player(agents: Agents) -> Player:
    """With an engine of its own.

    Args:
        agents: who may be watched; they are handed in, since they live above this package."""
    game, watched = Game(), WatchedAgents(agents)
    answers = {name: partial(one, game) for name, one in ANSWERS.items()}
    return Player("phyre", {**answers, "tiers": partial(_tiers, watched), "agent": partial(_agent, watched)})


def _tiers(agents: WatchedAgents, question: Json) -> Json:
    return {
        "agents": agents.names,
        "scene_pixels": SCENE_PIXELS,
        "steps_per_second": STEPS_PER_SECOND,
        "steps_for_solution": STEPS_FOR_SOLUTION,
        "radii": [int(SMALLEST_RADIUS), int(LARGEST_RADIUS)],
        "mark": {"place": MARK_PLACE, "radius": MARK_RADIUS},
        "player": {"color": css(rgb_of(Color.RED)), "mark": css(mark_of(Color.RED))},
        "tiers": [_tier(tier) for tier in ACTION_TIERS.values()],
    }


def _task(game: Game, question: Json) -> Json:
    puzzle = _puzzle(question)
    template = puzzle.template
    return {
        "id": puzzle.id,
        "template": template.id,
        "tier": template.tier.name,
        "name": template.name,
        "description": template.description,
        "goal": puzzle.scene.goal_sentence,
        "goal_colors": [css(rgb_of(puzzle.scene.bodies[k].color)) for k in puzzle.scene.goal],
        "balls": template.tier.balls,
        "bodies": [_body(body) for body in puzzle.scene.bodies],
        "tasks": puzzle_ids(template),
        "solution": np.reshape(puzzle.solution, (-1, 3)).tolist() if puzzle.solution else None,
    }


def _check(game: Game, question: Json) -> Json:
    return {"problems": [asdict(problem) for problem in problems(_puzzle(question).scene, _balls(question))]}


def _attempt(game: Game, question: Json) -> Json:
    seen = game.attempt(_puzzle(question), _balls(question))
    moving = [k for k, body in enumerate(seen.bodies) if not body.static]
    return {
        "solved": seen.status.is_solved(),
        "steps": seen.steps,
        "stride": STRIDE,
        "touches": seen.touches,
        "longest_touch": seen.longest_touch,
        "moving": moving,
        "poses": _poses(seen, moving),
    }


def _agent(agents: WatchedAgents, question: Json) -> Json:
    puzzle = _puzzle(question)
    return {"tries": agents.tries(require(question, "agent", str, "question"), puzzle.id)}


ANSWERS: Final[Mapping[str, Callable[[Game, Json], Json]]] = {
    "task": _task,
    "check": _check,
    "attempt": _attempt,
}


def _puzzle(question: Json) -> Puzzle:
    return find_puzzle(require(question, "task", str, "question"))


def _balls(question: Json) -> list[Ball]:
    listed = require(question, "balls", list, "question")
    whole = all(isinstance(ball, list) and len(ball) == 3 and all(type(v) is int for v in ball) for ball in listed)
    if not whole or len(listed) > TWO_BALLS.balls:
        raise ConfigError(
            f"Expected up to {TWO_BALLS.balls} balls, each x, y and radius in whole pixels (got {str(listed)[:80]})."
        )
    return [Ball(*ball) for ball in listed]


def _tier(tier: Tier) -> Json:
    return {"name": tier.name, "balls": tier.balls, "templates": [_template(one) for one in templates_of(tier)]}


def _template(template: Template) -> Json:
    puzzle = first_puzzle(template)
    bodies = [_body(body) for body in puzzle.scene.bodies]
    return {"id": template.id, "name": template.name, "first": puzzle.id, "bodies": bodies}


def _body(body: SceneBody) -> Json:
    """Slabs are given by their corners around the centre of mass of the body before it is turned."""
    return {
        "x": round(body.x, DIGITS),
        "y": round(body.y, DIGITS),
        "angle": round(body.angle, DIGITS + 2),
        "radius": body.shape.radius,
        "slabs": [np.round(slab.corners, DIGITS).tolist() for slab in body.shape.slabs],
        "color": css(rgb_of(body.color)),
        "mark": None if body.static else css(mark_of(body.color)),
    }


def _poses(seen: Attempt, moving: list[int]) -> list[list[list[float]]]:
    """[frames, moving bodies, 3]; angles go on beyond a full turn, so that what lies between two frames is their mean."""
    poses = seen.poses[:, moving].copy()
    poses[..., 2] = np.unwrap(poses[..., 2], axis=0)
    frames: list[list[list[float]]] = np.round(poses[::STRIDE], DIGITS).tolist()
    return frames

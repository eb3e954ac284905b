"""Events on hand-made motion: entering, leaving, moving, directions, collisions, attraction and repulsion."""

import numpy as np
import pytest

from comphy.scene.camera import Camera
from comphy.scene.events import Event, EventKind, Interval, charged_pairs, intervals
from comphy.scene.objects import InitialState, ObjectSpec, Video
from comphy.scene.vocabulary import Color, Direction, Material, Shape
from comphy.sim.event_detection import find_events, image_direction, inside_scene, moving
from comphy.sim.rollout import Collision, Rollout

CAMERA = Camera()
FRAMES = 40


def made(*tracks: np.ndarray, collisions: tuple[Collision, ...] = ()) -> Rollout:
    """A rollout of given positions [frames, 3] at 25 frames per second."""
    positions = np.stack(tracks, axis=1)
    velocities = np.gradient(positions, 1 / 25, axis=0)
    orientations = np.zeros((*positions.shape[:2], 4))
    orientations[..., 3] = 1.0
    return Rollout(positions, orientations, velocities, np.zeros_like(positions), collisions, 10)


def line(start: tuple[float, float], velocity: tuple[float, float], frames: int = FRAMES) -> np.ndarray:
    seconds = np.arange(frames)[:, None] / 25
    ground = np.array(start) + seconds * np.array(velocity)
    return np.c_[ground, np.full(frames, 0.2)]


def video(charges: tuple[int, ...]) -> Video:
    colors = tuple(Color)
    objects = tuple(
        ObjectSpec(colors[k], Shape.SPHERE, Material.METAL, charge=charge) for k, charge in enumerate(charges)
    )
    still = InitialState((0.0, 0.0, 0.2), (0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    return Video(objects, (still,) * len(charges), tuple(range(len(charges))), FRAMES, FRAMES)


def border(x: float) -> float:
    """The y at which an object's centre is on the right border: u = 240 + 525 y / d = 480."""
    return 240 / 525 * (5 - 0.8660254 * x - 0.5 * 0.2)


def test_entering_and_leaving_are_timed_by_the_border() -> None:
    speed = 1.0
    leaving = line((0.0, border(0.0) - 0.5 * speed), (0.0, speed))  # reaches the border after half a second
    entering = line((0.5, -border(0.5) - 1.01 * speed), (0.0, speed))  # from the left, after about one second
    staying = line((0.0, 0.0), (0.0, 0.0))
    events = find_events(video((0, 0, 0)), made(leaving, entering, staying), CAMERA)
    assert [(e.kind, e.objects) for e in events] == [(EventKind.OUT, (0,)), (EventKind.IN, (1,))]
    assert events[0].frame == pytest.approx(12.5, abs=1)
    assert events[1].frame == pytest.approx(25.25, abs=1)


def test_what_starts_inside_does_not_enter_and_what_stays_does_not_leave() -> None:
    assert find_events(video((0,)), made(line((0.0, 0.0), (0.1, 0.1))), CAMERA) == ()


def test_inside_means_the_centre_is_in_the_picture() -> None:
    just_in, just_out = line((0.0, border(0.0) - 0.01), (0, 0)), line((0.0, border(0.0) + 0.01), (0, 0))
    behind = line((6.0, 0.0), (0, 0))
    assert inside_scene(made(just_in, just_out, behind), CAMERA)[0].tolist() == [True, False, False]


def test_collisions_fall_in_the_frame_of_their_step() -> None:
    here = (0.0, 0.0, 0.2)
    touches = (Collision(57, 60, (0, 1), 1.0, here), Collision(120, 200, (0, 1), 1.0, here))
    rollout = made(line((0, 0), (0, 0)), line((1, 0), (0, 0)), collisions=touches)
    assert find_events(video((0, 0)), rollout, CAMERA) == (
        Event(EventKind.COLLISION, 5, (0, 1)),
        Event(EventKind.COLLISION, 12, (0, 1)),
    )


@pytest.mark.parametrize(("speed", "expected"), [(0.0, False), (0.019, False), (0.021, True), (1.0, True)])
def test_moving_needs_a_fiftieth_of_a_unit_per_second(speed: float, expected: bool) -> None:
    assert (moving(made(line((0, 0), (0.6 * speed, 0.8 * speed)))) == expected).all()


@pytest.mark.parametrize(
    ("velocity", "direction"),
    [
        ((0.0, 1.0), Direction.RIGHT),  # the camera stands on +x and looks back, so +y is to the right
        ((0.0, -1.0), Direction.LEFT),
        ((1.0, 0.0), Direction.DOWN),
        ((-1.0, 0.0), Direction.UP),
        ((0.0, 0.01), None),
    ],
)
def test_directions_are_those_of_the_picture(velocity: tuple[float, float], direction: Direction | None) -> None:
    assert image_direction(made(line((0, 0), velocity, 3)), CAMERA)[0] == [direction]


@pytest.mark.parametrize(("degrees", "direction"), [(38, Direction.RIGHT), (45, None), (52, Direction.DOWN)])
def test_directions_between_two_are_neither(degrees: float, direction: Direction | None) -> None:
    # At (0, 0, 0.2): u = 240 + 525 y / d and v = 160 + 525 (0.5 x - 0.866 z) / d with d = 5 - 0.866 x - 0.5 z.
    d, up = 4.9, -0.8660254 * 0.2
    across, along = 525 / d, 525 * (0.5 * d + 0.8660254 * up) / d**2
    angle = np.radians(degrees)
    velocity = (0.3 * np.sin(angle) / along * 100, 0.3 * np.cos(angle) / across * 100)
    assert image_direction(made(line((0, 0), velocity, 3)), CAMERA)[0] == [direction]


def test_intervals_are_maximal_runs() -> None:
    flags = np.array([[1, 0], [1, 0], [0, 1], [1, 1]], bool)
    assert intervals(flags) == [Interval(0, 0, 1), Interval(0, 3, 3), Interval(1, 2, 3)]
    assert intervals(np.zeros((4, 1), bool)) == []


def test_only_charged_objects_pair_up() -> None:
    assert charged_pairs(video((1, 0, -1))) == [(0, 2)]
    assert charged_pairs(video((0, 0, 1))) == []


@pytest.mark.parametrize(("charges", "kind"), [((1, 0, -1), EventKind.ATTRACTION), ((-1, 0, -1), EventKind.REPULSION)])
def test_charges_show_when_they_have_moved_something(charges: tuple[int, ...], kind: EventKind) -> None:
    bystander = line((0, 1), (0, 0))
    plain = made(line((0, 0), (0.2, 0.0)), bystander, line((0.8, 0), (0, 0)))
    pushed = made(line((0, 0), (0.2, 0.1)), bystander, line((0.8, 0), (0, 0)))
    (event,) = find_events(video(charges), pushed, CAMERA, plain)
    assert (event.kind, event.objects) == (kind, (0, 2))
    assert event.frame == pytest.approx(0.05 / 0.1 * 25, abs=1), "0.05 units at 0.1 units per second"


def test_charges_that_move_nothing_in_view_do_not_show() -> None:
    far = border(0.0) + 1.0
    plain = made(line((0, 0), (0, 0)), line((0, far), (0.0, 0.0)))
    pushed = made(line((0, 0), (0, 0)), line((0, far), (0.0, 1.0)))
    assert find_events(video((1, 1)), pushed, CAMERA, plain) == ()
    assert find_events(video((1, 1)), plain, CAMERA, plain) == ()


def test_events_are_in_order_of_time() -> None:
    touch = (Collision(300, 300, (0, 1), 1.0, (0.0, 0.0, 0.0)),)
    leaving = line((0.0, border(0.0) - 0.5), (0.0, 1.0))
    events = find_events(video((0, 0)), made(leaving, line((0, 0), (0, 0)), collisions=touch), CAMERA)
    assert [e.kind for e in events] == [EventKind.OUT, EventKind.COLLISION]

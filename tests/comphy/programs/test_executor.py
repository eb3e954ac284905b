"""Each operator on one small scene, with values worked out by hand.

Twenty frames. The red metal cube (heavy, 0) hits the blue sphere (1), which has entered at frame 2 and goes on to hit the
red sphere (2); the cube leaves at 12; the red sphere hits the green cylinder (3) at 15. The gray cube (4) never moves. The
two spheres carry opposite charges.
"""

from dataclasses import replace

import numpy as np
import pytest

from comphy.errors import ProgramError
from comphy.programs.executor import answer, answer_text, execute, in_words, trace
from comphy.programs.facts import NO_DIRECTION, SceneFacts
from comphy.programs.program import parse
from comphy.programs.types import ValueType as T
from comphy.scene.events import Event, EventKind
from comphy.scene.objects import ObjectSpec
from comphy.scene.vocabulary import Color, Direction, Material, Shape
from tests.support.strategies import every_signature

FRAMES = 20
ENTRANCE = Event(EventKind.IN, 2, (1,))
CUBE_HITS = Event(EventKind.COLLISION, 5, (0, 1))
SPHERES_HIT = Event(EventKind.COLLISION, 9, (1, 2))
EXIT = Event(EventKind.OUT, 12, (0,))
CYLINDER_HIT = Event(EventKind.COLLISION, 15, (2, 3))
LATER = Event(EventKind.COLLISION, 22, (1, 3))
LATER_EXIT = Event(EventKind.OUT, 23, (2,))
LEFT, RIGHT, UP, DOWN = range(4)


def _scene() -> SceneFacts:
    moving, inside = np.zeros((FRAMES, 5), bool), np.ones((FRAMES, 5), bool)
    moving[:, 0] = moving[:10, 1] = moving[9:, 2] = moving[15:, 3] = True
    inside[12:, 0] = inside[:2, 1] = False
    direction = np.full((FRAMES, 5), NO_DIRECTION, np.int8)
    direction[:, 0] = RIGHT
    direction[:10, 1] = LEFT
    direction[9:, 2] = UP
    direction[15:, 3] = DOWN
    return SceneFacts(
        objects=(
            ObjectSpec(Color.RED, Shape.CUBE, Material.METAL, mass=5.0),
            ObjectSpec(Color.BLUE, Shape.SPHERE, Material.RUBBER, charge=1),
            ObjectSpec(Color.RED, Shape.SPHERE, Material.RUBBER, charge=-1),
            ObjectSpec(Color.GREEN, Shape.CYLINDER, Material.METAL),
            ObjectSpec(Color.GRAY, Shape.CUBE, Material.RUBBER),
        ),
        visible=(ENTRANCE, CUBE_HITS, SPHERES_HIT, EXIT, CYLINDER_HIT),
        unseen=(LATER, LATER_EXIT),
        moving=moving,
        direction=direction,
        inside=inside,
        counterfactual={
            "mass_0_1": (Event(EventKind.COLLISION, 6, (0, 1)), Event(EventKind.COLLISION, 11, (0, 1))),
            "charge_1_0": (),
            "charge_1_-1": (Event(EventKind.COLLISION, 7, (1, 2)),),
            "mass_3_5": (Event(EventKind.COLLISION, 5, (0, 1)), Event(EventKind.COLLISION, 18, (3, 4))),
        },
        removal={0: (Event(EventKind.COLLISION, 14, (1, 3)),), 1: ()},
        visible_frames=FRAMES,
    )


SCENE = _scene()
# Short names for the objects, each picked by its look.
CUBE, BLUE, RED = (
    "objects metal filter_material cube filter_shape",
    "objects blue filter_color",
    "objects red filter_color",
)
SPHERE = f"{RED} sphere filter_shape"
CYLINDER, GRAY = "objects cylinder filter_shape", "objects gray filter_color"
START, END = "events filter_start query_frame", "events filter_end query_frame"
LAST_HIT = "events objects filter_collision last filter_order"


def pair(a: int, b: int) -> Event:
    return Event(EventKind.COLLISION, -1, (a, b))


CASES = [
    # sources
    ("objects", (0, 1, 2, 3, 4)),
    ("events", (Event(EventKind.START, 0, ()), *SCENE.visible, Event(EventKind.END, 20, ()))),
    ("unseen_events", (LATER, LATER_EXIT)),
    ("all_events count", 10),
    (f"all_events {CUBE} filter_collision", tuple(pair(0, k) for k in (1, 2, 3, 4))),
    ("start", Event(EventKind.START, 0, ())),
    ("end", Event(EventKind.END, 20, ())),
    # sets and truth values
    (f"{BLUE} unique", 1),
    ("events objects filter_in unique", ENTRANCE),
    (f"{CUBE} filter_mass unique", 5.0),
    (f"{RED} count", 2),
    ("events count", 7),
    ("objects purple filter_color exist", False),
    ("objects purple filter_color exist not", True),
    ("unseen_events exist", True),
    (f"all_events {CUBE} unique filter_collision {BLUE} unique filter_collision unique events belong_to", True),
    (f"all_events {CUBE} unique filter_collision {GRAY} unique filter_collision unique events belong_to", False),
    ("events objects filter_in unique unseen_events belong_to", False),
    (f"{SPHERE} unique unseen_events belong_to", True),
    (f"{CUBE} unique unseen_events belong_to", False),
    (f"{RED} objects sphere filter_shape intersect", (2,)),
    ("events objects filter_out events objects filter_collision intersect", ()),
    (f"{GRAY} {RED} union", (0, 2, 4)),
    ("unseen_events events objects filter_in union", (ENTRANCE, LATER, LATER_EXIT)),
    # look and motion
    ("objects red filter_color", (0, 2)),
    ("objects cube filter_shape", (0, 4)),
    ("objects metal filter_material", (0, 3)),
    ("objects red filter sphere filter rubber filter", (2,)),
    ("objects null filter_moving", (0, 1, 2, 3)),
    ("objects null filter_stationary", (4,)),
    (f"objects {START} filter_moving", (0,)),  # the blue sphere moves, but is not in the picture yet
    (f"objects {START} filter_stationary", (2, 3, 4)),
    (f"objects {END} filter_moving", (2, 3)),  # the cube has left
    (f"objects {END} filter_stationary", (1, 4)),
    ("objects end get_frame filter_stationary", (1, 4)),
    ("objects moving filter_status", (0, 1, 2, 3)),
    ("objects stationary filter_temporal", (4,)),
    # events
    ("events filter_start", Event(EventKind.START, 0, ())),
    ("events filter_end", Event(EventKind.END, 20, ())),
    ("events objects filter_in", (ENTRANCE,)),
    (f"events {CUBE} unique filter_in", ()),
    ("events objects filter_out", (EXIT,)),
    (f"events {SPHERE} unique filter_out", ()),
    ("unseen_events objects filter_out", (LATER_EXIT,)),
    ("events objects filter_collision", (CUBE_HITS, SPHERES_HIT, CYLINDER_HIT)),
    (f"events {BLUE} unique filter_collision", (CUBE_HITS, SPHERES_HIT)),
    (f"events {RED} filter_collision", (CUBE_HITS, SPHERES_HIT, CYLINDER_HIT)),
    (f"events {BLUE} unique filter_collision {SPHERE} unique filter_collision", (SPHERES_HIT,)),
    ("events objects filter_collision first filter_order", CUBE_HITS),
    ("events objects filter_collision second filter_order", SPHERES_HIT),
    (LAST_HIT, CYLINDER_HIT),
    ("events events objects filter_out unique filter_before objects filter_collision", (CUBE_HITS, SPHERES_HIT)),
    ("events events objects filter_out unique filter_after objects filter_collision", (CYLINDER_HIT,)),
    ("events events objects filter_in unique filter_before", (Event(EventKind.START, 0, ()),)),
    # The cube's exit comes after its last part in the chain.
    (f"events {LAST_HIT} filter_ancestor", (ENTRANCE, CUBE_HITS, SPHERES_HIT)),
    (f"events {BLUE} unique filter_in {LAST_HIT} filter_ancestor", (ENTRANCE,)),  # the chain runs through all events
    ("events events objects filter_in unique filter_ancestor", ()),
    ("events events objects filter_out unique filter_ancestor", (ENTRANCE, CUBE_HITS)),
    ("events unseen_events first filter_order filter_ancestor", (ENTRANCE, CUBE_HITS, SPHERES_HIT, CYLINDER_HIT)),
    # queries
    (f"{BLUE} unique query_color", Color.BLUE),
    (f"{BLUE} unique query_shape", Shape.SPHERE),
    (f"{BLUE} unique query_material", Material.RUBBER),
    (f"{BLUE} unique shape query", ("sphere",)),
    (f"{CUBE} unique null query_direction", Direction.RIGHT),
    (f"{SPHERE} unique null query_direction", Direction.UP),  # 11 of 20 frames
    (f"{SPHERE} unique {END} query_direction", Direction.UP),
    (f"{BLUE} unique events objects filter_in unique query_frame query_direction", Direction.LEFT),
    ("events objects filter_in unique query_frame", 2),
    (END, 20),
    ("events objects filter_out unique query_object", 0),
    (f"events {BLUE} unique filter_collision last filter_order {BLUE} unique query_collision_partner", 2),
    (f"events {BLUE} unique filter_collision first filter_order {BLUE} unique get_col_partner", 0),
    ("objects filter_charged unique query_both_color", ("blue", "red")),
    ("objects filter_charged unique query_both_shape", ("sphere", "sphere")),
    ("objects filter_charged unique query_both_material", ("rubber", "rubber")),
    ("objects metal filter_material unique color query_both", ("green", "red")),
    # hidden properties
    ("objects filter_heavy", (0,)),
    ("objects filter_light", (1, 2, 3, 4)),
    ("objects filter_charged", (1, 2)),
    ("objects filter_uncharged", (0, 3, 4)),
    ("objects filter_opposite", (1, 2)),
    ("objects filter_same", ()),
    (f"{RED} filter_opposite", ()),  # only one of the pair is red
    (f"{CUBE} unique filter_mass", 5.0),
    (f"{BLUE} filter_mass", 1.0),
    (f"{CUBE} unique filter_mass {BLUE} unique filter_mass is_heavier", True),
    (f"{BLUE} unique filter_mass {GRAY} unique filter_mass is_heavier", False),
    (f"{BLUE} filter_mass unique {CUBE} filter_mass unique is_lighter", True),
    (f"{BLUE} unique filter_mass {GRAY} unique filter_mass is_lighter", False),
    (f"{BLUE} unique {SPHERE} unique equal_charge", False),
    (f"{GRAY} unique {CYLINDER} unique equal_charge", False),  # no charge is not a charge
    # counterfactuals
    (f"{CUBE} unique counterfact_lighter counterfact_events count", 2),
    (f"all_events {CUBE} unique counterfact_lighter filter_counterfact", (pair(0, 1),)),
    (f"events {CUBE} unique counterfact_lighter filter_counterfact", (CUBE_HITS,)),
    (f"all_events {CYLINDER} unique counterfact_heavier filter_counterfact", (pair(0, 1), pair(3, 4))),
    (f"all_events {BLUE} unique counterfact_uncharged filter_counterfact", ()),
    (f"all_events {BLUE} unique counterfact_opposite filter_counterfact", (pair(1, 2),)),
    (f"all_events {CUBE} unique get_counterfact", (pair(1, 3),)),
    (f"{CUBE} unique counterfact_events", (Event(EventKind.COLLISION, 14, (1, 3)),)),
    (f"all_events {BLUE} unique filter_counterfact", ()),
]


@pytest.mark.parametrize("program, expected", CASES, ids=[program for program, _ in CASES])
def test_values(program: str, expected: object):
    value = execute(parse(program.split()), SCENE)
    assert value == expected and type(value) is type(expected)


def test_every_signature_is_among_the_cases():
    used = set()
    for program, _ in CASES:
        for node in parse(program.split()).root.walk():
            if node.op is not None:
                used.add((node.op.name, tuple(argument.type for argument in node.arguments), node.type))
    assert {(op.name, signature.params, signature.result) for op, signature in every_signature()} == used


@pytest.mark.parametrize(
    "program, message",
    [
        ("objects unique", "token 1 'unique': expected exactly one (found 5)"),
        ("objects purple filter_color unique query_shape", "token 3 'unique': expected exactly one (found 0)"),
        ("objects filter_heavy unique query_both_color", "token 2 'unique': expected exactly two objects (found 1)"),
        ("events objects filter_in second filter_order", "token 4 'filter_order': there is no second of 1 events"),
        ("events unique", "token 1 'unique': expected exactly one (found 7)"),
        ("unseen_events filter_start", "token 1 'filter_start': expected one 'start' among the events (found 0)"),
        (f"{GRAY} unique null query_direction", "the gray rubber cube has no main direction in the picture then"),
        (f"{CUBE} unique {END} query_direction", "the red metal cube has no main direction in the picture then"),
        (f"{CYLINDER} unique null query_direction", "no main direction"),  # down in 5 of 20 frames
        (f"{LAST_HIT} query_object", "'query_object': expected an entrance or an exit (found collision)"),
        (f"{LAST_HIT} {GRAY} unique query_collision_partner", "expected a collision of the gray rubber cube"),
        (f"{RED} filter_mass", "token 3 'filter_mass': expected exactly one (found 2)"),
        ("all_events first filter_order", "expected events that happen at a time (found some that only could)"),
        (f"all_events {LAST_HIT} filter_before", "expected events that happen at a time"),
        (f"all_events {CUBE} filter_collision {BLUE} filter_collision unique query_frame", "that happen at a time"),
        (f"{GRAY} unique counterfact_heavier counterfact_events", "no run 'mass_4_5' is at hand"),
        (
            f"{CUBE} unique counterfact_heavier counterfact_events",
            "'counterfact_heavier' changes nothing about the red",
        ),
        (
            f"{GRAY} unique counterfact_lighter counterfact_events",
            "changes nothing about the gray rubber cube of mass 1",
        ),
        (f"{GRAY} unique counterfact_opposite counterfact_events", "changes nothing about the gray rubber cube"),
        (f"{GRAY} unique counterfact_uncharged counterfact_events", "and charge 0"),
        (
            f"all_events {GRAY} unique get_counterfact",
            "token 5 'filter_counterfact': no run without the gray rubber cube",
        ),
    ],
)
def test_what_has_no_answer_is_named_with_its_place(program: str, message: str):
    for run in (execute, trace):
        with pytest.raises(ProgramError) as caught:
            run(parse(program.split()), SCENE, where="val.json: scene 4000: question 3")
        assert str(caught.value).startswith("val.json: scene 4000: question 3: token ")
        assert message in str(caught.value)


def test_the_unknown_future_is_not_taken_for_an_empty_one():
    unknown = replace(SCENE, unseen=(), unseen_known=False)
    with pytest.raises(ProgramError, match="token 0 'unseen_events': it is not known what happens after the video"):
        execute(parse(["unseen_events", "exist"]), unknown)
    with pytest.raises(ProgramError, match="no run without the"):
        execute(parse(f"{CUBE} unique counterfact_events".split()), replace(SCENE, removal=None))


def test_a_shifted_eye_looks_up_events_earlier_or_later():
    program = parse(["objects", "events", "objects", "filter_in", "unique", "query_frame", "filter_moving"])
    assert execute(program, SCENE) == (0, 1)
    assert execute(program, replace(SCENE, shift=-2)) == (0,)  # at frame 0 the blue sphere is not in the picture
    assert execute(program, replace(SCENE, shift=13)) == (2, 3)
    assert execute(program, replace(SCENE, shift=100)) == (2, 3)  # the last frame


def test_given_values_are_taken_in_order():
    question = parse(["unseen_events", "belong_to"], given=(T.EVENT,))
    assert execute(question, SCENE, pair(1, 3)) is True
    assert execute(question, SCENE, pair(0, 1)) is False
    both = parse(["is_heavier"], given=(T.MASS, T.MASS))
    assert execute(both, SCENE, 5.0, 1.0) is True and execute(both, SCENE, 1.0, 5.0) is False
    with pytest.raises(ProgramError, match=r"q: expected the given values: event \(found 0\): unseen_events belong_to"):
        execute(question, SCENE, where="q")
    with pytest.raises(ProgramError, match=r"expected the given values: none \(found 1\): objects count"):
        execute(parse(["objects", "count"]), SCENE, 3)


def test_a_choice_and_its_question_run_as_one_program():
    choice = f"all_events {CUBE} unique filter_collision {BLUE} unique filter_collision unique"
    question = f"all_events {CYLINDER} unique counterfact_heavier filter_counterfact belong_to"
    assert execute(parse(f"{choice} {question}".split(), wanted=T.BOOL), SCENE) is True
    assert execute(parse(f"{choice} {question} not".split(), wanted=T.BOOL), SCENE) is False


@pytest.mark.parametrize(
    "program, text",
    [
        ("objects count", "5"),
        ("objects exist", "yes"),
        ("objects purple filter_color exist", "no"),
        (f"{BLUE} unique query_shape", "sphere"),
        ("objects filter_charged unique query_both_color", "blue and red"),
        (f"{BLUE} unique material query", "rubber"),
        (f"{CUBE} unique null query_direction", "right"),
    ],
)
def test_answers_are_written_as_in_the_published_files(program: str, text: str):
    assert answer(parse(program.split()), SCENE) == text


def test_a_program_that_ends_in_no_answer_is_refused():
    with pytest.raises(
        ProgramError, match=r"q 7: expected a program that ends in an answer \(found objects\): objects"
    ):
        answer(parse(["objects"]), SCENE, where="q 7")


def test_steps_are_told_in_order_and_in_words():
    steps = trace(parse(f"{RED} {END} filter_moving unique query_shape".split()), SCENE)
    assert [(step.position, step.call, step.result) for step in steps] == [
        (0, "objects", "red metal cube, blue rubber sphere, red rubber sphere, green metal cylinder, gray rubber cube"),
        (2, "filter_color red", "red metal cube, red rubber sphere"),
        (
            3,
            "events",
            "start of the video; the blue rubber sphere enters at frame 2; "
            "the red metal cube and the blue rubber sphere collide at frame 5; "
            "the blue rubber sphere and the red rubber sphere collide at frame 9; the red metal cube leaves at frame 12; "
            "the red rubber sphere and the green metal cylinder collide at frame 15; end of the video",
        ),
        (4, "filter_end", "end of the video"),
        (5, "query_frame", "frame 20"),
        (6, "filter_moving", "red rubber sphere"),
        (7, "unique", "the red rubber sphere"),
        (8, "query_shape", "sphere"),
    ]


def test_values_in_words():
    assert in_words((), T.OBJECTS, SCENE) == in_words((), T.EVENTS, SCENE) == in_words((), T.MASSES, SCENE) == "none"
    assert in_words(5.0, T.MASS, SCENE) == "mass 5" and in_words((5.0, 1.0), T.MASSES, SCENE) == "masses 5, 1"
    assert in_words(pair(0, 1), T.EVENT, SCENE) == "the red metal cube and the blue rubber sphere collide"
    assert answer_text(True) == "yes" and answer_text(0) == "0"


def test_facts_of_the_wrong_shape_are_refused():
    with pytest.raises(ValueError, match=r"Expected moving of shape \(20, 5\), \[frames, objects\] \(got \(19, 5\)\)"):
        replace(SCENE, moving=SCENE.moving[1:])

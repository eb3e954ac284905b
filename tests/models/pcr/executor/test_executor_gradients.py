"""Answers teach: every chance that a program looks at gets a gradient, and no other does."""

from dataclasses import replace

import pytest
import torch

from comphy.programs.program import parse
from comphy.scene.events import Event, EventKind
from models.pcr.executor.answers import ANSWER_WORDS, Asked, answer_losses, group, run
from models.pcr.executor.compiled import compile_program
from models.questions.question_types import ANSWERS
from tests.comphy.programs.test_executor import SCENE
from tests.support.soft_scenes import Logits, random_scene

# The scene with a few events more, so that there is always something to choose from.
BUSY = replace(
    SCENE,
    visible=(*SCENE.visible, Event(EventKind.IN, 16, (4,)), Event(EventKind.OUT, 17, (3,))),
    unseen=(Event(EventKind.COLLISION, 21, (0, 1)), *SCENE.unseen, Event(EventKind.COLLISION, 24, (0, 3))),
)
RED, CUBE = "objects red filter_color unique", "objects cube filter_shape unique"
COLLISION = f"all_events {RED} filter_collision {CUBE} filter_collision unique"
CASES = [
    ("objects red filter_color cube filter_shape metal filter_material count", {"color", "shape", "material"}),
    ("objects red filter cube filter metal filter exist", {"color", "shape", "material"}),
    (f"{RED} shape query", {"color", "shape"}),
    (f"{RED} query_color", {"color"}),
    ("objects null filter_moving unique query_shape", {"ever_moving", "shape"}),
    ("objects null filter_stationary count", {"ever_moving", "shown"}),
    ("objects stationary filter_status exist", {"ever_moving", "shown"}),
    ("objects events filter_end query_frame filter_moving count", {"moving", "shown"}),
    (f"objects events {RED} filter_in unique query_frame filter_stationary exist",
     {"moving", "shown", "color", "events"}),
    (f"{RED} end query_frame query_direction", {"color", "direction", "shown"}),
    (f"{RED} null query_direction", {"color", "main_direction"}),
    ("objects filter_heavy unique query_material", {"heavy", "material"}),
    (f"{RED} filter_mass {CUBE} filter_mass is_lighter", {"color", "shape", "heavy"}),
    (f"{RED} filter_mass {CUBE} filter_mass is_heavier not", {"color", "shape", "heavy"}),
    ("objects filter_light cube filter_shape filter_mass objects filter_heavy filter_mass unique is_lighter",
     {"shape", "heavy"}),
    ("objects filter_charged unique query_both_color", {"same", "opposite", "color"}),
    ("objects filter_uncharged count", {"same", "opposite"}),
    ("objects filter_same unique query_both_shape", {"same", "shape"}),
    ("objects filter_opposite unique material query_both", {"opposite", "material"}),
    (f"{RED} {CUBE} equal_charge", {"color", "shape", "same"}),
    ("events objects filter_collision second filter_order objects red filter_color unique "
     "query_collision_partner query_color", {"events", "color"}),
    ("events objects filter_out last filter_order query_object query_color", {"events", "color"}),
    ("events objects filter_collision events objects cube filter_shape filter_in unique filter_before count",
     {"events", "shape"}),
    (f"events events {CUBE} filter_out unique filter_after exist", {"events", "shape"}),
    (f"events unseen_events {RED} filter_collision last filter_order filter_ancestor count",
     {"events", "color", "future"}),
    (f"{COLLISION} unseen_events belong_to", {"color", "shape", "future"}),
    (f"{COLLISION} all_events {RED} counterfact_heavier filter_counterfact belong_to", {"color", "shape", "premise"}),
    (f"{COLLISION} all_events {RED} filter_counterfact belong_to not", {"color", "shape", "removal"}),
    (f"{RED} counterfact_lighter counterfact_events count", {"color", "premise"}),
    (f"{RED} events unseen_events union belong_to", {"color", "events", "future"}),
    (f"{RED} counterfact_events events intersect exist", {"color", "events", "removal"}),
    ("objects cube filter_shape objects red filter_color union unique query_material", {"color", "shape", "material"}),
    (f"objects {RED} query_color filter_color count", {"color"}),
]  # fmt: skip


def losses(program: str, made: Logits) -> torch.Tensor:
    """Of all answers that the program can give, about both sets."""
    compiled = compile_program(parse(program.split()))
    words = [word for kind in compiled.answers for word in ANSWERS[kind]]
    batch = group([Asked(compiled, row, word) for word in words for row in (0, 1)])
    return answer_losses(batch, run(batch, made.scene))


@pytest.mark.parametrize("program, used", CASES, ids=[program for program, _ in CASES])
def test_what_is_looked_at_gets_a_gradient(program: str, used: set[str]):
    made = random_scene([SCENE, BUSY])
    losses(program, made).square().sum().backward()  # squares: the losses of all answers may balance
    moved = {name for name, leaf in made.leaves.items() if leaf.grad is not None and leaf.grad.abs().sum() > 1e-5}
    assert all(leaf.grad is None or torch.isfinite(leaf.grad).all() for leaf in made.leaves.values())
    charges = {"same", "opposite"}  # made of one distribution
    assert moved | (charges if moved & charges else set()) == used | (charges if used & charges else set())


@pytest.mark.parametrize("program, used", CASES, ids=[program for program, _ in CASES])
def test_sure_mistakes_still_have_finite_gradients(program: str, used: set[str]):
    made = random_scene([SCENE, BUSY])
    for leaf in made.leaves.values():
        leaf.data *= 40
    found = losses(program, made)
    found.sum().backward()
    assert torch.isfinite(found).all()
    assert all(leaf.grad is None or torch.isfinite(leaf.grad).all() for leaf in made.leaves.values())


def test_answers_can_be_learned():
    """Steps along the gradient make a scene of which the given answers are true."""
    made = random_scene([SCENE], seed=3)
    wanted = {
        "objects filter_heavy unique query_color": "blue",
        "objects red filter_color cube filter_shape count": "2",
        "events objects filter_collision first filter_order objects blue filter_color unique "
        "query_collision_partner query_shape": "cube",
        "objects filter_same unique query_both_color": "blue and green",
        f"{COLLISION} all_events {RED} counterfact_heavier filter_counterfact belong_to": "yes",
    }
    batch = group([Asked(compile_program(parse(program.split())), 0, word) for program, word in wanted.items()])
    optimiser = torch.optim.Adam(made.leaves.values(), lr=0.1)
    for _ in range(80):
        optimiser.zero_grad()
        answer_losses(batch, run(batch, made.scene)).mean().backward()
        optimiser.step()
    chances = run(batch, made.scene)
    assert [ANSWER_WORDS[place] for place in chances.argmax(dim=1)] == list(wanted.values())
    assert float(answer_losses(batch, chances).detach().max()) < 0.1

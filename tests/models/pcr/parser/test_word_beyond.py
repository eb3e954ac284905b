"""A program is believed only if it has something for each word that would turn the question into another one."""

import numpy as np
import pytest

from comphy.language.options import Part
from models.pcr.parser.training.grammar import held_out_sentences, random_sentence
from models.pcr.parser.words.beyond import beyond
from models.pcr.parser.words.reading import words_of

MOVING = "objects null filter_moving"
RESTING = "objects null filter_stationary"
COLLISIONS = "events objects filter_collision"
CUBE = "objects cube filter_shape"
WHERE_TO = f"{CUBE} unique null query_direction"


@pytest.mark.parametrize(
    ("sentence", "program", "left_out"),
    [
        ("How many objects move?", f"{MOVING} count", ""),
        ("How many objects never move?", f"{MOVING} count", "never"),
        ("How many objects never move?", f"{RESTING} count", ""),
        ("How many objects don't move?", f"{MOVING} count", "n't"),
        ("How many objects are not at rest?", f"{MOVING} count", ""),
        ("How many objects do not collide?", f"{RESTING} count", "not"),
        ("Which objects do not collide?", f"{COLLISIONS} count", "not"),
        ("Isn't there a cube?", f"{CUBE} exist", ""),
        ("Is there a cube or not?", f"{CUBE} exist", ""),
        ("Are all objects cubes?", f"{CUBE} exist", "all"),
        ("Are there any cubes at all?", f"{CUBE} exist", ""),
        ("How many cubes are there in all?", f"{CUBE} count", ""),
        ("Is every object a cube?", f"{CUBE} exist", "every"),
        ("Is everything a cube?", f"{CUBE} exist", "everything"),
        ("How many objects move when everything begins?", f"{MOVING} count", ""),
        ("Do only cubes collide?", f"{COLLISIONS} exist", "only"),
        ("Do the objects hit each other?", f"{COLLISIONS} exist", ""),
        ("Where is the cube?", WHERE_TO, "where"),
        ("Where is the cube going?", WHERE_TO, ""),
        ("What is left of the cube?", WHERE_TO, "left"),
        ("Does the cube go left or right?", WHERE_TO, ""),
        ("Is a cube to the right of the sphere?", f"{CUBE} exist", "right"),
        ("There is a cube, right?", f"{CUBE} exist", ""),
        ("Is the cube bigger than the sphere?", f"{CUBE} unique filter_mass is_heavier", "bigger"),
        ("Is the cube smaller than the sphere?", f"{CUBE} unique filter_mass is_lighter", "smaller"),
        ("Do two objects have the same color?", "objects filter_same exist", "same"),
        ("Do two objects have the same charge?", "objects filter_same exist", ""),
        ("How many different colors are there?", "objects count", "different colors"),
        ("How many colors are there?", "objects count", "colors"),
        ("What are the colors of the objects that hit each other?", f"{COLLISIONS} unique query_both_color", ""),
        ("What is the number of shapes?", "objects count", "shapes"),
        ("How many objects collide?", f"{COLLISIONS} count", "objects"),
        ("How many times do objects collide?", f"{COLLISIONS} count", ""),
        ("How many objects collide with the cube?", f"events {CUBE} unique filter_collision count", ""),
        ("Is the cube visible at the end?", WHERE_TO, "is"),
        (
            "Does the cube rest the whole time?",
            f"{CUBE} events filter_end query_frame filter_stationary exist",
            "whole",
        ),
        ("Does the cube rest the whole time?", f"{CUBE} null filter_stationary exist", ""),
        ("Does the cube move to the left or to the right?", WHERE_TO, ""),
        ("Can you see which way the cube goes?", WHERE_TO, ""),
        ("What is next to the cube?", f"unseen_events {CUBE} unique filter_collision count", "next"),
        ("What is the next to leave?", "unseen_events objects filter_out count", ""),
        ("Do all of the cubes move?", f"{CUBE} null filter_moving count", "all"),
        ("Has the cube a bigger mass than the sphere?", f"{CUBE} unique filter_mass is_heavier", ""),
        ("What would happen if the cube were not there?", f"all_events {CUBE} unique filter_counterfact belong_to", ""),
        ("How many frames are there?", "objects count", "frames"),
        ("Does anything collide twice?", f"{COLLISIONS} exist", "twice"),
    ],
)
def test_words_for_which_the_program_has_nothing(sentence: str, program: str, left_out: str) -> None:
    assert " ".join(beyond(words_of(sentence), program.split())) == left_out


def test_no_sentence_of_the_language_is_beyond_its_own_program() -> None:
    rng = np.random.default_rng(0)
    held_out = [sentence for part in (Part.VAL, Part.TEST) for sentence in held_out_sentences(600, part, rng)]
    sentences = [*(random_sentence(rng) for _ in range(1200)), *held_out]
    assert [one.text for one in sentences if beyond(words_of(one.text), one.program)] == []

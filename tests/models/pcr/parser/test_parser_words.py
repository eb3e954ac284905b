"""Reading words, finding looks in sentences and programs, and varying both alike."""

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from comphy.dataset.questions import answers_path, read_questions
from comphy.questions.looks import Look
from comphy.scene.vocabulary import Color, Material, Shape
from models.pcr.parser.sentences import Sentence, distinct_sentences, read_program
from models.pcr.parser.training.augmentation import Augmentation, varied
from models.pcr.parser.words.agreement import unsaid, words_differ
from models.pcr.parser.words.phrases import frame, look_words, meant, spoken
from models.pcr.parser.words.reading import UNKNOWN, Reader, SubwordVocabulary, words_of

NOTHING = Augmentation(*[0.0] * len(fields(Augmentation)))
LOOKS_ONLY = replace(NOTHING, specific=1)
NO_LOOK = Look()
HEAVIER = (
    "objects red filter_color unique filter_mass "
    "objects metal filter_material cube filter_shape unique filter_mass is_heavier"
)


@pytest.fixture(scope="module")
def sentences(small_dataset: Path) -> list[Sentence]:
    splits = [read_questions(small_dataset / answers_path(split)) for split in ("train", "val", "test")]
    return distinct_sentences([scene for scenes in splits for scene in scenes], "whole")


@pytest.fixture
def reader() -> Reader:
    known = "what color is the sphere spheres object does collide collides with begins enter video heavier move moving"
    return Reader(SubwordVocabulary.of([known.split(), look_words()], ["[factual]"]))


def test_known_words_are_read_as_they_are(reader: Reader):
    reading = reader.read("What COLOR is the metal sphere?")
    assert reading.words == ("what", "color", "is", "the", "metal", "sphere") and reading.unknown == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What's red?", ["what", "'s", "red"]),
        ("It isn't, won't", ["it", "is", "n't", "wo", "n't"]),
        ("It isn’t", ["it", "is", "n't"]),
        ("a red-colored one, the 2nd", ["a", "red", "colored", "one", "the", "2nd"]),
    ],
)
def test_clitics_and_hyphenated_words_are_split(text: str, expected: list[str]):
    assert words_of(text) == expected


def test_unknown_words_are_named_once_and_get_hints(reader: Reader):
    assert reader.read("Zebra, zebra and the shpere!").unknown == ("zebra", "and", "shpere")
    assert reader.hints("shpere")[0] == "sphere" and reader.hints("zebra") == ()
    assert not any(UNKNOWN in reader.hints(word) for word in ("unk", "[unk]", "factual"))


@pytest.mark.parametrize("text", ["", "?!", "   "])
def test_a_text_without_words_is_one_unknown_word(reader: Reader, text: str):
    assert reader.read(text).words == (UNKNOWN,) and reader.read(text).unknown == ()


def test_looks_are_found_in_sentences():
    said = words_of("Is the red metal cube moving when the sphere and two blue objects of rubber enter?")
    found = spoken(said)
    assert [span.look for span in found] == [
        Look(Color.RED, Material.METAL, Shape.CUBE),
        Look(shape=Shape.SPHERE),
        Look(Color.BLUE),
    ]
    assert [said[span.start : span.end] for span in found] == [span.words for span in found]
    assert [span.plural for span in found] == [False, False, True]
    assert " ".join(frame(said)) == "is the object moving when the object and two objects of rubber enter"


def test_looks_are_found_in_programs():
    program = "events objects filter_collision objects {} cube filter_shape unique"
    tokens = program.format("red filter_color").split()
    assert [(span.start, span.end, span.look) for span in meant(tokens)] == [
        (1, 2, NO_LOOK),
        (3, 8, Look(Color.RED, None, Shape.CUBE)),
    ]


@pytest.mark.parametrize(
    ("text", "differ"),
    [
        ("How many red cubes are there?", False),
        ("How many boxes are there that are reddish?", False),
        ("How many cubes are there?", True),
        ("How many shiny red cubes are there?", True),
        ("How many red cubes come first?", True),
        ("Can you see how many red cubes are there?", False),
    ],
)
def test_words_of_a_sentence_and_its_program_can_be_compared(text: str, differ: bool):
    program = ["objects", "cube", "filter_shape", "red", "filter_color", "count"]
    assert words_differ(words_of(text), program) == differ


def test_unknown_words_may_stand_for_what_a_program_says():
    program = ["objects", "green", "filter_color", "cube", "filter_shape", "count"]
    assert not words_differ(words_of("How many greenish cubes?"), program, ["greenish"])
    assert words_differ(words_of("How many greenish red cubes?"), program, ["greenish"])
    assert words_differ(words_of("How many yelow cubes?"), program, ["yelow"]), "yellow is misspelt"


def test_examples_of_what_is_asked_for_need_not_be_meant():
    program = ["objects", "red", "filter_color", "unique", "query_shape"]
    assert not words_differ(words_of("Is the red one a cube or a ball?"), program)
    assert words_differ(words_of("Is the red one metal?"), program)


def test_what_a_sentence_does_not_speak_of():
    silent = unsaid(words_of("What kind of material is the bluish box?"), ["bluish"])
    assert {"red", "sphere", "metal", "query_shape", "query_both_color"} <= silent
    assert not {"blue", "cube", "query_material", "filter_moving"} & silent
    assert {"filter_heavy", "filter_charged", "filter_opposite"} <= silent
    charged = unsaid(words_of("Which heavy ones atract each other?"), ["atract"])
    assert not {"filter_heavy", "filter_opposite"} & charged and "filter_uncharged" in charged
    assert "cylinder" not in unsaid(words_of("Can you see a red can?"), [])
    assert "cylinder" in unsaid(words_of("What can we see?"), []) & unsaid(words_of("I think you can see it."), [])
    assert "rubber" not in unsaid(words_of("Is anything not shiny?"), [])
    assert "query_shape" not in unsaid(words_of("Is the red-coloured one a ball?"), [])


def test_a_not_of_the_program_has_to_be_said():
    program = ["unseen_events", "belong_to", "not"]
    assert words_differ(words_of("What will happen?"), program)
    assert not words_differ(words_of("What won't happen?"), program)


def test_no_sentence_of_a_dataset_differs_from_its_program(sentences: list[Sentence]):
    assert not any(words_differ(words_of(sentence.text), sentence.program) for sentence in sentences)


def test_other_looks_are_put_into_sentence_and_program_alike(sentences: list[Sentence]):
    """The frame stays, the program stays well-typed, and what the sentence names is what the program filters."""
    rng = np.random.default_rng(0)
    for sentence in sentences:
        said = words_of(sentence.text)
        other, program = varied(said, sentence.program, LOOKS_ONLY, rng)
        assert frame(other) == frame(said)
        assert read_program(program, sentence.kind).tokens == tuple(program)
        assert {span.look for span in spoken(other)} - {NO_LOOK} == {span.look for span in meant(program)} - {NO_LOOK}
        assert len({span.look for span in spoken(other)}) >= len({span.look for span in spoken(said)})


def test_every_look_can_take_every_place():
    rng = np.random.default_rng(0)
    said = words_of("Is the red object heavier than the metal cube?")
    drawn = [tuple(varied(said, HEAVIER.split(), LOOKS_ONLY, rng)[0]) for _ in range(300)]
    assert {span.look.color for one in drawn for span in spoken(one)} == {None, *Color}
    assert {span.look.shape for one in drawn for span in spoken(one)} == {None, *Shape}
    assert len({len(one) for one in drawn}) > 3


def test_sentences_about_any_objects_become_specific():
    rng = np.random.default_rng(0)
    said, program = words_of("How many objects are heavy?"), ["objects", "filter_heavy", "count"]
    other, changed = varied(said, program, LOOKS_ONLY, rng)
    assert spoken(other)[0].look == meant(changed)[0].look != NO_LOOK
    assert varied(said, program, NOTHING, rng) == (said, program)


def test_where_sentence_and_program_do_not_match_nothing_is_changed():
    rng = np.random.default_rng(0)
    said, program = words_of("How many red things are heavy?"), ["objects", "filter_heavy", "count"]
    assert varied(said, program, LOOKS_ONLY, rng) == (said, program)
    shape_first = ["objects", "cube", "filter_shape", "red", "filter_color", "count"]
    said = words_of("How many red cubes are there?")
    assert varied(said, shape_first, LOOKS_ONLY, rng) == (said, shape_first), "its order of filters is kept"


def test_gaps_preambles_swaps_and_typing_errors_occur_as_often_as_told():
    rng = np.random.default_rng(0)
    said, program = ["word"] * 100, ["objects", "count"]
    gapped = [varied(said, program, replace(NOTHING, gaps=1, unknown_words=0.2), rng)[0] for _ in range(50)]
    assert 75 < np.mean([one.count("word") for one in gapped]) < 85
    begun = [varied(said, program, replace(NOTHING, preamble=0.5), rng)[0] for _ in range(400)]
    lengths = [len(one) - len(said) for one in begun]
    assert set(lengths) == {0, 1, 2, 3} and 0.4 < np.mean(np.array(lengths) > 0) < 0.6
    swapped, _ = varied(["a", "b"], program, replace(NOTHING, swap=1), rng)
    assert swapped == ["b", "a"]
    wrong, _ = varied(said, program, replace(NOTHING, typos=1, misspelt_words=0.5), rng)
    assert 30 < wrong.count("word") < 70 and all(word.startswith("w") for word in wrong)


def test_shares_outside_of_0_and_1_are_refused():
    with pytest.raises(ValueError, match="shares from 0 to 1"):
        Augmentation(gaps=1.5)

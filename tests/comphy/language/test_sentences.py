"""Meanings in English: canonical sentences, random ones, and what training is kept from."""

import re
from collections.abc import Iterator

import numpy as np
import pytest

from comphy.errors import ConfigError
from comphy.language.absence import none_there
from comphy.language.choosing import PhraseSampler
from comphy.language.lexicon import _frames, concepts, lexicon, slots_of
from comphy.language.meanings.descriptions import (
    CounterfactualPremise,
    Description,
    EventSelection,
    Moment,
    MomentKind,
    Source,
)
from comphy.language.meanings.from_program import described_by, meaning_of
from comphy.language.meanings.meaning import Count, Exist
from comphy.language.meanings.random_meanings import RandomMeanings
from comphy.language.options import Options, Part, read_options
from comphy.language.sentences import _Sentences, canonical, sentence
from comphy.language.tenses import Tense, after_auxiliary, finite, is_there
from comphy.programs.program import parse
from comphy.programs.types import Premise, ValueType
from comphy.questions.looks import Look
from comphy.scene.vocabulary import Color, Shape

RED, CUBE = Description(Look(Color.RED)), Description(Look(shape=Shape.CUBE))
COLLISION = "objects cyan filter_color unique filter_collision objects cube filter_shape unique filter_collision"


@pytest.mark.parametrize(
    ("program", "english"),
    [
        ("objects filter_heavy unique query_shape", "What shape is the heavy object?"),
        ("objects metal filter_material exist", "Are there any metal objects?"),
        ("objects cube filter_shape count", "How many cubes are there?"),
        (f"events {COLLISION} exist", "Does the cyan object collide with the cube?"),
        (f"unseen_events {COLLISION} count", "How many times will the cyan object collide with the cube?"),
        (
            "objects yellow filter_color unique filter_mass objects cyan filter_color unique filter_mass is_heavier",
            "Is the yellow object heavier than the cyan object?",
        ),
        (
            "objects red filter_color unique events filter_end query_frame query_direction",
            "What is the direction of the red object when the video ends?",
        ),
        (
            "objects filter_opposite unique query_both_color",
            "What are the colors of the two objects that are oppositely charged?",
        ),
        (
            "events objects sphere filter_shape filter_in last filter_order query_object query_material",
            "What material is the last sphere to enter the scene?",
        ),
    ],
)
def test_the_canonical_sentence(program: str, english: str) -> None:
    meaning = meaning_of(parse(program.split()))
    assert meaning is not None and canonical(meaning) == english


def test_what_would_happen() -> None:
    program = "all_events objects red filter_color unique counterfact_heavier filter_counterfact belong_to"
    meaning = meaning_of(parse(program.split(), (ValueType.EVENT,)))
    assert meaning is not None
    assert canonical(meaning) == "Which of the following would happen if the red object were heavier?"


SOURCES = (Source.VIDEO, Source.FUTURE, CounterfactualPremise(CUBE, Premise.LIGHTER))
MOMENTS = (None, Moment(MomentKind.IN, (RED,)), Moment(MomentKind.COLLISION, (RED, CUBE)))


@pytest.mark.parametrize(
    ("kind", "objects"),
    [
        (MomentKind.COLLISION, ()),
        (MomentKind.COLLISION, (RED,)),
        (MomentKind.COLLISION, (RED, CUBE)),
        (MomentKind.IN, (RED,)),
        (MomentKind.OUT, (RED,)),
    ],
)
@pytest.mark.parametrize("one", [True, False])
def test_what_programs_can_mean_is_said_or_not_but_never_fails(
    kind: MomentKind, objects: tuple[Description, ...], one: bool
) -> None:
    """The parser's readings of a sentence that it does not understand may be such programs."""
    for source in SOURCES:
        for moment in MOMENTS:
            for after in (True, False):
                what = EventSelection(kind, objects, one, source, moment, after)
                for meaning in (Count(what), Exist(what)):
                    text = canonical(meaning)
                    assert text is None or re.fullmatch(r"[A-Z].*[?.]", text), meaning


def test_collisions_of_a_group_have_no_sentence_but_those_of_one_object_do() -> None:
    rubber = "objects rubber filter_material"
    group, one = (
        meaning_of(parse(f"events {which} filter_collision count".split())) for which in (rubber, f"{rubber} unique")
    )
    assert group is not None and canonical(group) is None
    assert one is not None and canonical(one) == "How many collisions does the rubber object have?"


def sentences(count: int, words: Part = Part.TRAIN, frames: Part = Part.TRAIN) -> Iterator[str]:
    rng = np.random.default_rng(0)
    meanings = RandomMeanings(rng)
    for number in range(count):
        meaning = (meanings.factual, meanings.open, meanings.option, meanings.factual)[number % 4]()
        text = sentence(meaning, rng, words, frames)
        if text is not None:
            yield text


def test_sentences_are_many_and_depend_on_the_draws_alone() -> None:
    texts = list(sentences(600))
    assert texts == list(sentences(600))
    assert len(set(texts)) > 0.95 * len(texts) == 0.95 * 600
    assert all(text[0].isupper() and "{" not in text and "  " not in text for text in texts)


def tokens(texts: "Iterator[str] | tuple[str, ...]") -> set[str]:
    return {word for text in texts for word in re.findall(r"[a-z]+", text.lower())}


def test_training_never_has_a_held_out_word() -> None:
    everything = lexicon().options.values()
    learned = [text for options in everything for text in options.train]
    forms = (form for text in learned if text for form in vars(lexicon().verb(text)).values())
    known = tokens(tuple(learned)) | tokens(forms)
    known |= tokens(tuple(text for options in _frames().values() for text in options.train))
    kept = tokens(tuple(text for options in everything for text in (*options.val, *options.test))) - known
    assert {"greenish", "slam", "entity", "footage"} <= kept
    assert not tokens(sentences(800)) & kept


def test_training_never_has_a_held_out_frame() -> None:
    frames = _frames()["wrap_indirect"]
    opened = tuple(text.split("{")[0] for text in (*frames.val, *frames.test))
    assert len(opened) > 5
    assert not any(text.startswith(opened) for text in sentences(800))


@pytest.mark.parametrize(("words", "frames"), [(Part.TEST, Part.TRAIN), (Part.TRAIN, Part.TEST), (Part.VAL, Part.VAL)])
def test_held_out_sentences_have_something_new(words: Part, frames: Part) -> None:
    rng = np.random.default_rng(2)
    meanings = RandomMeanings(rng)
    found = [sentence(meanings.factual(), rng, words, frames) for _ in range(60)]
    texts = [text for text in found if text is not None]
    assert len(texts) > 50
    if frames is Part.TRAIN:
        fresh = (text for options in lexicon().options.values() for text in options.of(words))
        stems = [re.sub(r"\{.*?\}", "", part).split()[0][:4] for text in fresh for part in text.split("|")]
        assert all(any(stem in text.lower() for stem in stems) for text in texts)


def test_every_part_has_frames_of_its_own() -> None:
    large = [options for options in _frames().values() if len(options.train) > 6]
    assert len(large) > 20 and all(options.test for options in large)
    assert sum(len(options.test) for options in _frames().values()) > 150


def test_every_slot_is_filled_in_some_sentence() -> None:
    """A frame with a slot that never has words would be dead."""
    rng = np.random.default_rng(0)
    meanings = RandomMeanings(rng)
    used: set[str] = set()

    class Watching(PhraseSampler):
        def frame(self, options: Options) -> str:
            used.update(slot for text in options.all for slot in slots_of(text))
            return super().frame(options)

    for number in range(800):
        meaning = (meanings.factual, meanings.factual, meanings.open, meanings.option)[number % 4]()
        _Sentences(Watching(rng)).write(meaning)
    everything = {slot for options in _frames().values() for text in options.all for slot in slots_of(text)}
    assert everything - used == {"indirect", "statement"} - used


def test_verbs_and_tenses() -> None:
    crash, bump, strike = (lexicon().verb(text) for text in ("crash into", "bump into", "strike"))
    assert (crash.third, bump.ing, strike.participle) == ("crashes into", "bumping into", "struck")
    assert lexicon().verb("collide with").ing == "colliding with"
    assert finite(Tense.PERFECT, strike, many=False) == "has struck"
    assert finite(Tense.WOULD_HAVE, strike, many=True) == "would have struck"
    assert after_auxiliary(Tense.GOING_TO, bump) == "going to bump into"
    assert is_there(Tense.FUTURE, many=True) == "will there be"


def test_words_stand_for_concepts() -> None:
    found = concepts()
    assert (found["balls"], found["shiny"], found["grey"], found["turquoise"]) == ("sphere", "metal", "gray", "cyan")
    assert not {"object", "greenish", "shaped", "heavy"} & found.keys()


@pytest.mark.parametrize("record", [{"traîn": ["a"]}, {"train": ["a"], "test": ["a"]}, {"test": ["a"]}, "a", []])
def test_bad_options_are_refused(record: object) -> None:
    with pytest.raises(ConfigError, match=r"words\.yaml: x: expected"):
        read_options(record, "words.yaml: x")


@pytest.mark.parametrize(
    ("program", "pair", "said"),
    [
        ("objects filter_heavy exist", False, "There is no heavy object."),
        ("objects red filter_color cube filter_shape exist", False, "There is no red cube."),
        ("objects filter_same exist", True, "There are no two equally charged objects."),
        (f"events {COLLISION} exist", False, "The cyan object and the cube do not collide."),
        ("events objects filter_out exist", False, "No object exits the scene."),
        ("events objects red filter_color unique filter_in exist", False, "The red object does not enter the scene."),
    ],
)
def test_that_there_is_none(program: str, pair: bool, said: str) -> None:
    what = described_by(parse(program.split()).root.arguments[0])
    assert what is not None and none_there(what, pair) == said

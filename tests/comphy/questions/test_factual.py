import numpy as np

from comphy.programs.executor import answer
from comphy.programs.program import parse
from comphy.programs.types import ANSWER_TYPES
from comphy.questions.factual import factual_candidates
from comphy.questions.looks import minimal_looks
from comphy.questions.slots import DOMAINS
from comphy.questions.soundness import is_degenerate
from comphy.questions.templates import fields, templates
from tests.support.scenes import OBJECTS, askable, facts


def test_every_template_parses_to_an_answer_for_every_filling_and_phrasing() -> None:
    world = facts()
    domains = {slot: domain(world) for slot, domain in DOMAINS.items()}
    for template in templates():
        words = {name for slot in template.slots for name in domains[slot][0].words}
        for text in template.text:
            assert set(fields(text)) <= words, (template.family, text)
        rng = np.random.default_rng(0)
        for _ in range(30):
            chosen = {slot: domains[slot][int(rng.integers(len(domains[slot])))].program for slot in template.slots}
            assert parse(template.program.format_map(chosen).split()).root.type in ANSWER_TYPES, template.family


def test_candidates_are_sound_and_reproducible() -> None:
    scene = askable()
    found = factual_candidates(scene, scene.rng(7, 1))
    assert len({candidate.template.family for candidate in found}) > 12
    for candidate in found:
        program = parse(candidate.program)
        assert answer(program, scene.facts) == candidate.answer
        assert not is_degenerate(program, scene.facts)
    again = factual_candidates(scene, scene.rng(7, 1))
    assert [(c.program, c.answer) for c in again] == [(c.program, c.answer) for c in found]


def test_one_candidate_for_each_answer_of_a_template() -> None:
    found = factual_candidates(askable(), np.random.default_rng(0))
    keys = [(candidate.template.family, candidate.answer) for candidate in found]
    assert len(set(keys)) == len(keys)


def test_what_is_asked_for_is_never_told() -> None:
    for seed in range(5):
        for candidate in factual_candidates(askable(), np.random.default_rng(seed)):
            if candidate.template.family in ("object_query", "object_mass_query", "object_charge_query"):
                group = candidate.words["group"].removesuffix("s").split()
                assert candidate.answer not in group, (candidate.program, candidate.answer)


def test_questions_about_hidden_properties_wait_for_evidence() -> None:
    hidden = {template.family for template in templates() if "mass" in template.family or "charge" in template.family}
    blind = factual_candidates(askable(shown=()), np.random.default_rng(0))
    assert not {candidate.template.family for candidate in blind} & hidden
    shown = factual_candidates(askable(), np.random.default_rng(0))
    assert {candidate.template.family for candidate in shown} & hidden


def test_phrasings_are_clean_sentences_with_minimal_names() -> None:
    scene = askable()
    rng = np.random.default_rng(1)
    names = {look.phrase() for index in range(len(OBJECTS)) for look in minimal_looks(OBJECTS, index)}
    for candidate in factual_candidates(scene, rng):
        for _ in range(4):
            text = candidate.phrased(rng)
            assert text[0].isupper() and text[-1] in "?." and "  " not in text and " ?" not in text and "{" not in text
        for slot in ("object", "other"):
            assert candidate.words.get(slot, next(iter(names))) in names

"""Constrained decoding: whatever a model prefers, what comes out is a well-typed program, for any tokenizer."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from comphy.errors import ConfigError
from models.llm.messages import Message
from models.pcr.parser.interface import KINDS_OF_QUESTIONS
from models.pcr.parser.llm.constraint import ProgramConstraint
from models.pcr.parser.llm.local_model import LocalModel
from models.pcr.parser.llm.program_text import ProgramText, longest_text
from models.pcr.parser.llm.prompt import Prompt
from models.pcr.parser.llm.token_texts import AllowedTokens, read_token_texts
from models.pcr.parser.llm.writing import Written
from models.pcr.parser.sentences import FORMS, SentenceKind, read_program
from models.pcr.parser.training.grammar import random_sentence
from tests.support.tiny_language_model import byte_tokenizer, metaspace_tokenizer, random_model

MOST = 8  # tokens of a program
Tokenizers = Callable[[list[str]], PreTrainedTokenizerFast]


@pytest.fixture(scope="module")
def sentences() -> list:
    rng = np.random.default_rng(5)
    return [random_sentence(rng) for _ in range(60)]


@pytest.fixture(scope="module", params=[byte_tokenizer, metaspace_tokenizer])
def tokenizer(request: pytest.FixtureRequest, sentences: list) -> PreTrainedTokenizerFast:
    return request.param([f"{one.text} {' '.join(one.program)}\n" for one in sentences])


def constrained(tokenizer: PreTrainedTokenizerFast, kind: SentenceKind) -> tuple[AllowedTokens, dict[int, str]]:
    texts = read_token_texts(tokenizer, frozenset({tokenizer.eos_token_id}), "the tokenizer")
    return AllowedTokens(texts, ProgramText(FORMS[kind].automaton(), MOST)), texts.texts


def test_a_token_can_have_several_words(tokenizer: PreTrainedTokenizerFast):
    """Else the tests below would test less than they say."""
    _, texts = constrained(tokenizer, SentenceKind.FACTUAL)
    assert any(text.strip().count(" ") >= 1 for text in texts.values())
    assert all(tokenizer.decode([tokenizer.encode("a")[0], number]) == "a" + text for number, text in texts.items())


@pytest.mark.parametrize("kind", SentenceKind)
def test_random_scores_give_well_typed_programs(tokenizer: PreTrainedTokenizerFast, kind: SentenceKind):
    """30 random writers at once; each ends in time with a program of its kind."""
    allowed, texts = constrained(tokenizer, kind)
    end, rows = tokenizer.eos_token_id, 30
    written = torch.full((rows, 3), tokenizer.pad_token_id)
    constraint = ProgramConstraint(allowed, 3, end)
    draw = torch.Generator().manual_seed(1)
    for _ in range(longest_text(MOST) + 1):
        scores = 3 * torch.randn(rows, len(tokenizer), generator=draw)
        written = torch.cat([written, constraint(written, scores).argmax(-1, keepdim=True)], -1)
        if (written[:, -1] == end).all():
            break
    assert (written[:, -1] == end).all()
    programs = {
        tuple("".join(texts[token] for token in row if token != end).split()) for row in written[:, 3:].tolist()
    }
    assert len(programs) > 10 and max(map(len, programs)) > 5
    assert all(read_program(program, kind).tokens == program and len(program) <= MOST for program in programs)


def test_the_own_tokens_of_a_true_program_are_allowed(tokenizer: PreTrainedTokenizerFast, sentences: list):
    texts = read_token_texts(tokenizer, frozenset({tokenizer.eos_token_id}), "the tokenizer")
    for sentence in sentences[:15]:
        program = ProgramText(FORMS[sentence.kind].automaton(), len(sentence.program))
        allowed = AllowedTokens(texts, program)
        state = allowed.start
        for token in (*tokenizer.encode(f" {' '.join(sentence.program)}"), tokenizer.eos_token_id):
            assert token in allowed.allowed(state), (sentence, token)
            state = allowed.after(state, token)
        assert state is not None and state.ended


def prompt(text: str) -> Prompt:
    return Prompt(text, (Message("user", text),), "Program:")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_untrained_models_write_well_typed_programs(tokenizer: PreTrainedTokenizerFast, seed: int):
    model = LocalModel(random_model(tokenizer, seed), tokenizer, batch=3, max_tokens=MOST)
    asked = [prompt(text) for text in ("What?", "Is there a red cube?", "How many?", "Which is the heavier one?")]
    for kind in SentenceKind:
        for one in model.write(asked, (kind,)):
            assert isinstance(one, Written) and one.kind is kind and one.log_probability < 0
            assert read_program(one.program.tokens, kind) == one.program


@pytest.mark.slow
def test_a_prompt_has_the_same_answer_in_any_batch(tokenizer: PreTrainedTokenizerFast):
    """Padding and the others' ends change nothing."""
    asked = [prompt(text) for text in ("What?", "Is there a red cube that moves?", "How many are there?")]
    together, alone = (
        LocalModel(random_model(tokenizer, 2), tokenizer, batch=size, max_tokens=MOST) for size in (3, 1)
    )
    for first, second in zip(
        together.write(asked, KINDS_OF_QUESTIONS), alone.write(asked, KINDS_OF_QUESTIONS), strict=True
    ):
        assert isinstance(first, Written) and isinstance(second, Written)
        assert first.program == second.program
        assert first.log_probability == pytest.approx(second.log_probability, abs=1e-3)


def test_alternatives_are_different_programs_the_likeliest_first(tokenizer: PreTrainedTokenizerFast):
    model = LocalModel(random_model(tokenizer, 0), tokenizer, max_tokens=MOST)
    found = model.alternatives(prompt("How many?"), (SentenceKind.MULTIPLE_CHOICE,))
    assert len(found) > 1 and all(read_program(one.program.tokens, one.kind) for one in found)
    scores = [one.log_probability for one in found]
    assert scores == sorted(scores, reverse=True)
    greedy = model.write([prompt("How many?")], (SentenceKind.MULTIPLE_CHOICE,))[0]
    assert isinstance(greedy, Written) and scores[0] >= greedy.log_probability - 1e-3


def test_a_tokenizer_that_cannot_write_programs_is_refused():
    words = Tokenizer(models.WordLevel({"objects": 0, "count": 1, "a": 2, "<|end|>": 3, "?": 4}, unk_token="?"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, eos_token="<|end|>")
    with pytest.raises(ConfigError, match=r"expected a tokenizer that can end a text and write every letter"):
        read_token_texts(tokenizer, frozenset({3}), "words")


def test_a_prompt_that_is_too_long_is_explained(tokenizer: PreTrainedTokenizerFast):
    model = LocalModel(random_model(tokenizer, 0), tokenizer, where="tiny")
    with pytest.raises(ConfigError, match=r"tiny: expected a prompt .* 2048 positions .*fewer `examples`"):
        model.write([prompt("Zz?" * 2048)], (SentenceKind.FACTUAL,))


NO_SYSTEM = "{% if message['role'] == 'system' %}{{ raise_exception('no system turns') }}{% endif %}"
CHAT = "{% for message in messages %}REFUSE<{{ message['role'] }}>{{ message['content'] }}\n{% endfor %}<assistant>"


@pytest.mark.parametrize(
    ("refuse", "expected"),
    [
        ("", "<system>Be a parser.\n<user>What?\n<assistant>"),
        (NO_SYSTEM, "<user>Be a parser.\n\nWhat?\n<assistant>"),
        ("{{ raise_exception('no turns at all') }}", None),
    ],
)
def test_the_chat_format_of_a_model_is_used(sentences: list, refuse: str, expected: str | None):
    tokenizer = byte_tokenizer([" ".join(one.program) for one in sentences])
    tokenizer.chat_template = CHAT.replace("REFUSE", refuse)
    model = LocalModel(random_model(tokenizer, 0), tokenizer, max_tokens=4, where="tiny")
    asked = Prompt("What?", (Message("system", "Be a parser."), Message("user", "What?")), "Program:")
    if expected is None:
        with pytest.raises(ConfigError, match=r"tiny: its chat format cannot be used \(no turns at all\)"):
            model.write([asked], (SentenceKind.FACTUAL,))
        return
    assert tokenizer.decode(model._encode([asked])["input_ids"][0]) == expected
    (written,) = model.write([asked], (SentenceKind.FACTUAL,))
    assert isinstance(written, Written) and written.program.root.type in FORMS[SentenceKind.FACTUAL].wanted

import pytest
import torch
from torch import Tensor

from comphy.errors import ProgramError
from models.pcr.parser.automaton import END, END_ID, PROGRAM_TOKENS, START_ID
from models.pcr.parser.decoding import best_programs, decode
from models.pcr.parser.encoding import encode_words, is_word
from models.pcr.parser.network import ParserSize, ProgramTransformer
from models.pcr.parser.sentences import FORMS, SentenceKind, read_program
from models.pcr.parser.training.batches import NO_TOKEN, TOKEN_IDS, encode
from models.pcr.parser.words.reading import PAD_ID, UNKNOWN_ID, SubwordVocabulary

WORDS = 30


@pytest.fixture
def module() -> ProgramTransformer:
    """Untrained, with sharper choices than a fresh network makes."""
    torch.manual_seed(0)
    size = ParserSize(width=16, layers=2, decoder_layers=2, heads=2, feed_forward=32, dropout=0.5)
    network = ProgramTransformer(size, WORDS).eval()
    network.requires_grad_(False).head.weight.mul_(40)
    for parameter in network.decoder.parameters():
        parameter.mul_(3)
    return network


@pytest.fixture
def sentences() -> Tensor:
    words = torch.randint(1, WORDS, (12, 9, 3), generator=torch.Generator().manual_seed(1))
    for row in range(12):
        words[row, 3 + row // 2 :] = PAD_ID
    return words


@pytest.mark.parametrize("kind", SentenceKind)
@pytest.mark.parametrize("longest", [3, 10, 25])
def test_even_an_untrained_network_writes_well_typed_programs_in_time(
    module: ProgramTransformer, sentences: Tensor, kind: SentenceKind, longest: int
):
    for decoded in decode(module, sentences, FORMS[kind].automaton(), longest):
        assert len(decoded.tokens) <= longest
        assert read_program(decoded.tokens, kind).root.type in FORMS[kind].wanted
        assert decoded.log_probability <= 0


def test_it_takes_the_likeliest_allowed_token_at_every_step(module: ProgramTransformer, sentences: Tensor):
    """Against a plain loop: one sentence at a time, without padding, without a cache."""
    automaton, longest = FORMS[SentenceKind.FACTUAL].automaton(), 12
    together = decode(module, sentences, automaton, longest)
    assert len({decoded.tokens for decoded in together}) > 1
    for row, decoded in zip(sentences, together, strict=True):
        words, tokens, stack, score = row[row[:, 0] != PAD_ID][None], [START_ID], automaton.start, 0.0
        while True:
            scores = module(words, torch.tensor([tokens]))[0, -1].log_softmax(-1)
            allowed = torch.from_numpy(automaton.allowed(stack, longest + 2 - len(tokens)))
            best = int(torch.where(allowed, scores, -torch.inf).argmax())
            score += float(scores[best])
            if best == END_ID:
                break
            tokens.append(best)
            stack = automaton.after(stack, best)
        assert decoded.tokens == tuple(PROGRAM_TOKENS[token] for token in tokens[1:])
        assert decoded.log_probability == pytest.approx(score, abs=1e-3)


def test_the_probability_is_that_of_the_whole_program(module: ProgramTransformer, sentences: Tensor):
    for row, decoded in enumerate(decode(module, sentences, FORMS[SentenceKind.CHOICE].automaton(), 20)):
        ids = [TOKEN_IDS[token] for token in (*decoded.tokens, END)]
        logits = module(sentences[row : row + 1], torch.tensor([[START_ID, *ids[:-1]]]))[0].log_softmax(-1)
        assert decoded.log_probability == pytest.approx(float(logits[range(len(ids)), ids].sum()), abs=1e-3)


def test_batches_show_the_program_after_its_start_and_want_it_before_its_end():
    vocabulary = SubwordVocabulary.of([["how", "many"]])
    batch = encode([(["how", "many"], ["objects", "count"]), (["how"], ["start"])], vocabulary)
    objects, count, start = (TOKEN_IDS[token] for token in ("objects", "count", "start"))
    assert batch.words.equal(encode_words([["how", "many"], ["how"]], vocabulary))
    assert is_word(batch.words).tolist() == [[True, True], [True, False]]
    assert batch.inputs.tolist() == [[START_ID, objects, count], [START_ID, start, START_ID]]
    assert batch.targets.tolist() == [[objects, count, END_ID], [start, END_ID, NO_TOKEN]]


def test_a_beam_finds_the_likeliest_programs_in_their_order(module: ProgramTransformer, sentences: Tensor):
    """Against all programs of two tokens, of which there are few."""
    automaton = FORMS[SentenceKind.FACTUAL].automaton()
    row = sentences[:1]
    found = best_programs(module, row, automaton, 2, beams=40)
    every = [(a, b) for a in PROGRAM_TOKENS[2:] for b in PROGRAM_TOKENS[2:] if _is_program((a, b))]
    scores = {}
    for tokens in every:
        ids = [TOKEN_IDS[token] for token in (*tokens, END)]
        logits = module(row, torch.tensor([[START_ID, *ids[:-1]]]))[0].log_softmax(-1)
        scores[tokens] = float(logits[range(3), ids].sum())
    assert [one.tokens for one in found] == sorted(every, key=lambda tokens: -scores[tokens])
    assert [one.log_probability for one in found] == pytest.approx(sorted(scores.values(), reverse=True), abs=1e-3)
    assert len(best_programs(module, row, automaton, 12, beams=3)) == 3


def _is_program(tokens: tuple[str, ...]) -> bool:
    try:
        return bool(read_program(tokens, SentenceKind.FACTUAL))
    except ProgramError:
        return False


def test_excluded_tokens_are_left_out_where_there_is_another_way(module: ProgramTransformer, sentences: Tensor):
    automaton = FORMS[SentenceKind.FACTUAL].automaton()
    free = decode(module, sentences, automaton, 12)
    first = [one.tokens[0] for one in free]
    kept = decode(module, sentences, automaton, 12, [{token} for token in first])
    assert all(one.tokens[0] != token for token, one in zip(first, kept, strict=True))
    assert decode(module, sentences, automaton, 12, [PROGRAM_TOKENS] * len(sentences)) == free
    assert best_programs(module, sentences[:1], automaton, 12, 2, {first[0]})[0].tokens[0] != first[0]


def test_pieces_of_a_word_are_the_word_and_its_n_grams():
    vocabulary = SubwordVocabulary.of([["cube"]], ["[factual]"])
    known, other = vocabulary.encode("cube"), vocabulary.encode("cubes")
    assert vocabulary.words[known[0]] == "cube" and other[0] == UNKNOWN_ID
    assert {vocabulary.grams[k - len(vocabulary.words)] for k in other[1:]} == {"<cu", "cub", "ube", "<cub", "cube"}
    assert set(other[1:]) < set(known[1:]) and vocabulary.encode("zzz") == (UNKNOWN_ID,)
    assert len(vocabulary.encode("[factual]")) == 1


def test_bad_sizes_are_refused():
    with pytest.raises(ValueError, match="a width that heads divides"):
        ParserSize(width=30, heads=4)
    with pytest.raises(ValueError, match="dropout from 0 to below 1"):
        ParserSize(dropout=1.0)

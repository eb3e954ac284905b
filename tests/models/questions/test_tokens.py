import pytest

from comphy.questions.model import Choice, Question, QuestionKind
from models.questions.tokens import SPECIAL, UNKNOWN, Vocabulary, choice_words, words


def test_words_have_no_case_and_no_punctuation():
    assert words("What color is the Rubber-Like cube, if any?") == [
        "what",
        "color",
        "is",
        "the",
        "rubber-like",
        "cube",
        "if",
        "any",
    ]


def test_a_choice_is_read_after_its_question():
    choice = Choice(0, "The cube collides", (), None)
    question = Question(0, QuestionKind.PREDICTIVE, "What will happen?", (), choices=(choice,))
    assert choice_words(question, choice) == ["what", "will", "happen", "[SEP]", "the", "cube", "collides"]


def test_numbers_follow_the_words_and_unseen_words_share_one():
    vocabulary = Vocabulary.of([["b", "a"], ["a", "[SEP]"]])
    assert vocabulary.words == (*SPECIAL, "a", "b")
    assert vocabulary.encode(["b", "z", "[SEP]"]) == [4, SPECIAL.index(UNKNOWN), 2]


@pytest.mark.parametrize("bad", [("a", "b"), (*SPECIAL, "a", "a")])
def test_a_damaged_vocabulary_is_refused(bad: tuple[str, ...]):
    with pytest.raises(ValueError, match="expected different words that begin with"):
        Vocabulary(bad)

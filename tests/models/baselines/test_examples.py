import numpy as np
import pytest
import torch

from comphy.errors import DatasetError
from models.baselines.examples import NO_ANSWER, Labelled, batches, encode, labelled, shuffled
from models.questions.tokens import Vocabulary


def test_targets_of_both_heads():
    examples = [Labelled(("a",), answer="yes"), Labelled(("a", "b"), answer="new"), Labelled(("b",), correct=True)]
    batch = encode(examples, Vocabulary.of([["a", "b"]]), ["no", "yes"])
    assert batch.answers.tolist() == [1, NO_ANSWER, NO_ANSWER]
    assert batch.correct.tolist() == [NO_ANSWER, NO_ANSWER, 1]
    assert batch.is_choice.tolist() == [False, False, True]
    assert batch.rows(torch.tensor([2])).tokens.shape == (1, 1)


def test_an_epoch_holds_every_example_once(make_scenes):
    examples = labelled(make_scenes(5), "train")
    every = encode(examples, Vocabulary.of(e.words for e in examples), ["yes"])
    assert len(examples) == 5 * (3 + 2 * 2)
    ordered = list(batches(every, 8))
    assert [len(batch) for batch in ordered] == [8, 8, 8, 8, 3]
    lengths = torch.cat([batch.lengths for batch in shuffled(every, 8, np.random.default_rng(0))])
    assert not torch.equal(lengths, every.lengths)
    assert torch.equal(lengths.sort().values, every.lengths.sort().values)


def test_the_fingerprint_tells_examples_apart():
    vocabulary = Vocabulary.of([["a", "b"]])
    prints = {
        encode([Labelled(words, answer=answer)], vocabulary, ["no", "yes"]).fingerprint()
        for words, answer in ((("a",), "yes"), (("b",), "yes"), (("a",), "no"), (("a", "b"), "no"))
    }
    assert len(prints) == 4


def test_a_split_without_answers_is_refused(make_scenes):
    hidden = [make_scenes(1)[0].without_answers()]
    with pytest.raises(DatasetError, match=r"train split holds no answered question .*1 sets with 5 questions"):
        labelled(hidden, "train")
    with pytest.raises(DatasetError, match=r"val split holds no answered question .*0 sets"):
        labelled([], "val")

"""Recalibration: the temperature and bias of systems that are known to be wrong by them are found, and answers stay."""

import pytest
import torch
from torch import Tensor

from comphy.dataset.submission import Answer, QuestionKey
from comphy.evaluation.qa.calibration.calibration import Recalibration, calibrations
from comphy.questions.model import Choice, Question, QuestionKind, SceneQuestions
from models.pcr.evaluation.recalibration_fit import fit_recalibration, fit_recalibrations
from models.pcr.executor.answers import ANSWER_WORDS
from models.pcr.reasoner.answering import AnswerDistributions
from models.pcr.reasoner.recalibration import recalibrated, recalibrated_truth

FACTUAL, EXPLANATORY, PREDICTIVE, COUNTERFACTUAL = QuestionKind
SETS = 3000
YES, NO = ANSWER_WORDS.index("yes"), ANSWER_WORDS.index("no")


def system(answers: int, temperature: float, bias: float = 0.0, seed: int = 0) -> tuple[Tensor, Tensor]:
    """Distributions [Q, A] that are too sure by a temperature, and too unsure by a bias, and whether each given answer is
    right: it is with the probability that the recalibrated distribution gives to it."""
    drawn = torch.Generator().manual_seed(seed)
    logits = 1.5 * torch.randn(SETS, answers, generator=drawn, dtype=torch.double)
    sure, given = logits.max(dim=1)
    others = logits.scatter(1, given[:, None], -torch.inf).logsumexp(dim=1)
    right = torch.rand(SETS, generator=drawn, dtype=torch.double) < (sure - others + bias).sigmoid()
    return (temperature * logits).softmax(dim=1), right


@pytest.mark.parametrize("answers", [2, 7])
@pytest.mark.parametrize(("temperature", "bias"), [(0.5, 0.0), (3.0, 0.0), (3.0, 1.0)])
def test_what_is_known_is_found(answers: int, temperature: float, bias: float):
    found = fit_recalibration(*system(answers, temperature, bias))
    assert found.temperature == pytest.approx(temperature, rel=0.15)
    assert found.bias == pytest.approx(bias, abs=0.15)


def test_more_likely_than_its_neighbours():
    """The likelihood is written out here for two answers, without smoothed targets, which hardly move its maximum."""
    chances, right = system(2, 2.0, 0.5, seed=1)
    odds = (chances.amax(dim=1) / chances.amin(dim=1)).log()

    def likelihood(temperature: float, bias: float) -> float:
        logits = odds / temperature + bias
        return float(torch.where(right, logits, -logits).sigmoid().log().sum())

    found = fit_recalibration(chances, right)
    around = [(1.05, 0.0), (1 / 1.05, 0.0), (1.0, 0.03), (1.0, -0.03)]
    others = [likelihood(factor * found.temperature, found.bias + more) for factor, more in around]
    assert likelihood(found.temperature, found.bias) > max(others)


@pytest.mark.parametrize(("right", "sure"), [(True, 21 / 22), (False, 0.5)])
def test_a_few_answers_do_not_give_certainty(right: bool, sure: float):
    """Twenty that are equally sure: by Platt's rule (20 + 1) / (20 + 2), and never less than the other answer."""
    found = fit_recalibration(torch.tensor([[0.9, 0.1]] * 20), torch.tensor([right] * 20))
    assert recalibrated_truth(0.9, found) == pytest.approx(sure, abs=0.006)


def test_known_values():
    """√p / Σ √p; the given answer counts e^b times as much; what is impossible stays impossible."""
    three = torch.tensor([0.36, 0.64, 0.0])
    wanted = torch.tensor([0.6, 0.8, 0.0]).double() / 1.4
    torch.testing.assert_close(recalibrated(three, 2.0, 0.0), wanted, rtol=1e-6, atol=0)
    thrice = torch.tensor([0.6, 3 * 0.8, 0.0]).double() / (0.6 + 3 * 0.8)
    torch.testing.assert_close(recalibrated(three, 2.0, float(torch.tensor(3.0).log())), thrice, rtol=1e-6, atol=0)
    assert recalibrated_truth(0.64, Recalibration(2.0, 0.0)) == pytest.approx(0.8 / 1.4, rel=1e-5)
    assert recalibrated_truth(0.36, Recalibration(2.0, 0.0)) == pytest.approx(0.6 / 1.4, rel=1e-5)


@pytest.mark.parametrize("values", [(0.0, 0.0), (-1.0, 0.0), (1.0, -0.1), (float("nan"), 0.0), (1.0, float("inf"))])
def test_what_could_change_answers_is_refused(values: tuple[float, float]):
    with pytest.raises(ValueError, match="expected a positive temperature and a bias of at least 0"):
        Recalibration(*values)


def test_no_answer_changes():
    chances = torch.rand(500, 9, generator=torch.Generator().manual_seed(4)).softmax(dim=1)
    for how in (Recalibration(0.05, 0.0), Recalibration(100.0, 0.0), Recalibration(7.0, 2.0)):
        after = recalibrated(chances, how.temperature, how.bias)
        assert torch.equal(after.argmax(dim=1), chances.argmax(dim=1))
        torch.testing.assert_close(after.sum(dim=1), torch.ones(500, dtype=torch.double))


@pytest.fixture(scope="module")
def answered() -> tuple[list[SceneQuestions], AnswerDistributions]:
    """Each set has a factual question about one of seven words and one with a choice; each kind errs in its own way."""
    words = ANSWER_WORDS[:7]
    factual, factual_right = system(7, 2.0, seed=2)
    option, option_right = system(2, 5.0, 1.0, seed=3)
    chances = torch.zeros(2 * SETS, len(ANSWER_WORDS))
    chances[::2, :7] = factual.float()
    chances[1::2, [YES, NO]] = option.float()
    truth: list[SceneQuestions] = []
    answers: dict[QuestionKey, Answer] = {}
    for index in range(SETS):
        said, holds = words[int(factual[index].argmax())], bool(option[index, 0] > 0.5)
        true = said if factual_right[index] else words[int(factual[index].argmin())]
        choice = Choice(4, "…", (), holds is bool(option_right[index]))
        questions = (
            Question(0, FACTUAL, "?", (), answer=true),
            Question(1, COUNTERFACTUAL, "?", (), choices=(choice,)),
        )
        truth.append(SceneQuestions(index, "", questions))
        answers |= {(index, 0): said, (index, 1): {4: holds}}
    return truth, AnswerDistributions([scene.without_answers() for scene in truth], answers, chances)


def test_every_kind_is_recalibrated_by_itself(answered: tuple[list[SceneQuestions], AnswerDistributions]):
    truth, given = answered
    found = fit_recalibrations(truth, given)
    assert list(found) == [FACTUAL, COUNTERFACTUAL]
    assert found[FACTUAL].temperature < 3 < found[COUNTERFACTUAL].temperature
    assert found[FACTUAL].bias < 0.5 < found[COUNTERFACTUAL].bias
    before, after = (calibrations(truth, given.answers, given.confidences(ways)) for ways in ({}, found))
    for kind in found:
        assert before[kind].expected_error > 0.04 and after[kind].expected_error < 0.02
        assert before[kind].accuracy == after[kind].accuracy


def test_confidences_belong_to_the_given_answers(answered: tuple[list[SceneQuestions], AnswerDistributions]):
    _, given = answered
    sure = given.confidences({COUNTERFACTUAL: Recalibration(2.0, 0.0)})
    chances = given.chances.double()
    assert sure[5, 0] == pytest.approx(float(chances[10, ANSWER_WORDS.index(str(given.answers[5, 0]))]))
    yes, no = chances[11, [YES, NO]].sqrt().tolist()
    verdict = given.answers[5, 1]
    assert isinstance(verdict, dict)
    assert sure[5, 1] == {4: pytest.approx((yes if verdict[4] else no) / (yes + no))}

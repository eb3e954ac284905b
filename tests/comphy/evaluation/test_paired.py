"""Comparison of agents, checked with the PHYRE paper: its scores of every fold give its means, deviations and stars."""

import io

import numpy as np
import pytest
from rich.console import Console

from comphy.evaluation.paired import compared, group_bootstrap, mcnemar, p_value_of_better, score_table

# Table 2 of the paper. Within templates the online agents make no updates: their rows are those of the offline ones.
PAPER_FOLDS = {
    "B cross": {
        "RAND": (0.1178, 0.1242, 0.1818, 0.1242, 0.0381, 0.2250, 0.1173, 0.1329, 0.0894, 0.1460),
        "MEM": (0.2059, 0.1656, 0.2004, 0.2263, 0.1159, 0.2488, 0.1416, 0.2467, 0.1055, 0.1881),
        "MEM-O": (0.2578, 0.2551, 0.2443, 0.2552, 0.2327, 0.2508, 0.1469, 0.2801, 0.1281, 0.2273),
        "DQN": (0.4369, 0.3096, 0.4305, 0.4391, 0.2277, 0.4440, 0.3453, 0.3920, 0.1898, 0.4646),
        "DQN-O": (0.6859, 0.4867, 0.6671, 0.5995, 0.4916, 0.6560, 0.5100, 0.6573, 0.3733, 0.4884),
    },
    "B within": {
        "RAND": (0.1344, 0.1401, 0.1379, 0.1380, 0.1275, 0.1334, 0.1395, 0.1430, 0.1336, 0.1433),
        "MEM": (0.0198, 0.0258, 0.0230, 0.0269, 0.0223, 0.0286, 0.0237, 0.0214, 0.0223, 0.0288),
        "DQN": (0.7682, 0.7972, 0.7822, 0.7586, 0.7703, 0.7842, 0.7801, 0.7734, 0.7804, 0.7687),
    },
    "2B cross": {
        "RAND": (0.0517, 0.0212, 0.0099, 0.0442, 0.0038, 0.0356, 0.0178, 0.0177, 0.0264, 0.0275),
        "MEM": (0.0728, 0.0289, 0.0135, 0.0783, 0.0090, 0.0463, 0.0186, 0.0387, 0.0376, 0.0274),
        "MEM-O": (0.0967, 0.0371, 0.0164, 0.0933, 0.0094, 0.0815, 0.0242, 0.0451, 0.0535, 0.0345),
        "DQN": (0.3818, 0.1944, 0.1072, 0.3051, 0.0732, 0.2703, 0.2388, 0.2216, 0.2528, 0.2730),
        "DQN-O": (0.5149, 0.2682, 0.2596, 0.5298, 0.2809, 0.5313, 0.4828, 0.3330, 0.3581, 0.3987),
    },
    "2B within": {
        "RAND": (0.0271, 0.0367, 0.0428, 0.0301, 0.0394, 0.0452, 0.0336, 0.0287, 0.0380, 0.0335),
        "MEM": (0.0325, 0.0336, 0.0315, 0.0371, 0.0304, 0.0314, 0.0282, 0.0320, 0.0330, 0.0347),
        "DQN": (0.6447, 0.6829, 0.6747, 0.6763, 0.6999, 0.6700, 0.6879, 0.6704, 0.6877, 0.6824),
    },
}

# Table 1a: mean, standard deviation, star.
PAPER_MEANS = {
    "B cross": {
        "RAND": (13.0, 5.0, False),
        "MEM": (18.5, 5.1, False),
        "MEM-O": (22.8, 5.0, False),
        "DQN": (36.8, 9.7, False),
        "DQN-O": (56.2, 10.5, True),
    },
    "B within": {"RAND": (13.7, 0.5, False), "MEM": (2.4, 0.3, False), "DQN": (77.6, 1.1, True)},
    "2B cross": {
        "RAND": (2.6, 1.5, False),
        "MEM": (3.7, 2.3, False),
        "MEM-O": (4.9, 3.1, False),
        "DQN": (23.2, 9.1, False),
        "DQN-O": (39.6, 11.1, True),
    },
    "2B within": {"RAND": (3.6, 0.6, False), "MEM": (3.2, 0.2, False), "DQN": (67.8, 1.5, True)},
}

ROUNDING = 0.05 + 0.005  # of the means, and of the folds


@pytest.mark.parametrize("setting", PAPER_FOLDS)
def test_the_papers_table(setting: str) -> None:
    found = compared(PAPER_FOLDS[setting])
    assert set(found) == set(PAPER_MEANS[setting])
    for agent, (mean, std, starred) in PAPER_MEANS[setting].items():
        assert 100 * found[agent].mean == pytest.approx(mean, abs=ROUNDING)
        assert 100 * found[agent].std == pytest.approx(std, abs=ROUNDING)
        assert found[agent].starred is starred


@pytest.mark.parametrize("setting", ["B cross", "2B cross"])
def test_online_agents_are_better_than_their_offline_counterparts(setting: str) -> None:
    folds = PAPER_FOLDS[setting]
    for agent in ("MEM", "DQN"):
        assert p_value_of_better(folds[f"{agent}-O"], folds[agent]) == pytest.approx(1 / 2**10)
        assert p_value_of_better(folds[agent], folds[f"{agent}-O"]) == 1.0


def test_memory_beats_chance_across_templates_but_not_within() -> None:
    cross, within = PAPER_FOLDS["B cross"], PAPER_FOLDS["B within"]
    assert p_value_of_better(cross["MEM"], cross["RAND"]) < 0.01
    assert p_value_of_better(within["MEM"], within["RAND"]) == 1.0
    two = PAPER_FOLDS["2B within"]
    assert p_value_of_better(two["RAND"], two["MEM"]) > 0.01


def test_a_small_sample_is_judged_exactly() -> None:
    """Rank 3 of five differences is lost. Of 32 sets of ranks five add up to 3 at most: {} {1} {2} {3} {1, 2}."""
    assert p_value_of_better([1.0, 2.0, 3.0, 4.0, 5.0], [0.0, 0.0, 6.0, 0.0, 0.0]) == pytest.approx(5 / 32)


def test_equals_get_no_star() -> None:
    same = PAPER_FOLDS["B within"]["DQN"]
    assert p_value_of_better(same, same) == 1.0
    assert not any(one.starred for one in compared({"DQN": same, "DQN-O": same}).values())
    assert not compared({"DQN": same})["DQN"].starred


def test_too_few_folds_prove_nothing() -> None:
    assert not compared({"a": (0.9, 0.8, 0.9), "b": (0.1, 0.2, 0.3)})["a"].starred
    assert compared({"a": (0.9,), "b": (0.1,)})["a"].std == 0.0


def test_the_table_shows_what_was_compared() -> None:
    text = io.StringIO()
    Console(file=text, width=200).print(score_table("AUCCESS", PAPER_FOLDS))
    lines = text.getvalue().splitlines()
    assert "AUCCESS" in lines[0] and "p < 0.01" in lines[-1]
    [best] = [line for line in lines if "DQN-O" in line]
    assert "56.2 ± 10.5*" in best and "39.6 ± 11.1*" in best and best.count("–") == 2


def test_mistakes_are_explained() -> None:
    with pytest.raises(ValueError, match=r"in each fold \(got 3 and 2\)"):
        p_value_of_better([0.1, 0.2, 0.3], [0.1, 0.2])
    with pytest.raises(ValueError, match="finite score in each fold"):
        p_value_of_better([0.1, float("nan")], [0.1, 0.2])


def test_mcnemar_is_exact() -> None:
    """Of 12 questions that one alone has right, 10 to 2 or less even: 2 (1 + 12 + 66) of 4,096 ways."""
    assert mcnemar(10, 2) == mcnemar(2, 10) == pytest.approx(2 * 79 / 4096)
    assert mcnemar(0, 0) == mcnemar(3, 3) == 1.0


def test_the_bootstrap_of_single_answers_is_nearly_normal() -> None:
    """400 questions, 60 won and 30 lost: the difference has a variance of (90 - 30² / 400) / 400²."""
    gains = np.repeat([1, -1, 0], [60, 30, 310])[None]
    [found] = group_bootstrap(gains, np.ones_like(gains))
    reach = 1.96 * (90 - 900 / 400) ** 0.5 / 400
    assert found.value == pytest.approx(0.075)
    assert (found.low, found.high) == pytest.approx((0.075 - reach, 0.075 + reach), abs=0.003)
    assert 0.0002 <= found.p_value < 0.01


def test_answers_that_go_together_prove_no_more_than_one() -> None:
    """Ten times the answers, all alike within a set, leave interval and p-value as they are."""
    gains = np.repeat([1, -1, 0], [6, 3, 11])[None]
    one, ten = group_bootstrap(gains, np.ones_like(gains)), group_bootstrap(10 * gains, np.full_like(gains, 10))
    assert one == ten and one[0].p_value > 0.05


def test_no_difference_is_never_significant() -> None:
    gains = np.zeros((1, 30), dtype=np.int64)
    [same] = group_bootstrap(gains, np.ones_like(gains))
    assert (same.value, same.low, same.high, same.p_value) == (0.0, 0.0, 0.0, 1.0)
    with pytest.raises(ValueError, match="an answer at least"):
        group_bootstrap(gains, gains)


def test_few_groups_tell_little():
    """Of one group nothing is known; three that all lean to one side do so by chance in a quarter of the cases."""
    ones = np.ones((1, 3), dtype=np.int64)
    [alone], [three] = group_bootstrap(ones[:, :1], ones[:, :1]), group_bootstrap(ones, ones)
    assert (alone.p_value, alone.low, alone.high) == (1.0, -1.0, 1.0)
    assert three.p_value == 0.25

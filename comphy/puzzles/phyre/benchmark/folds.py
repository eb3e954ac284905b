"""Folds: which tasks an agent learns from, is tuned on and is tested on.

Set-ups are a tier and what is new in a test: other tasks of the same templates (within) or other templates (cross). Ten
folds of each, made from md5 of names alone: the same on every machine, with no random state and no files.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from hashlib import md5
from typing import Final, NamedTuple

from comphy.errors import ConfigError, did_you_mean
from comphy.puzzles.phyre.benchmark.tasks import load_tasks, template_of
from comphy.puzzles.phyre.world.actions import ACTION_TIERS

NUM_FOLDS: Final = 10
GROUPS: Final = 5  # one is tested
TRAIN_SHARE: Final = 0.8

_CROSS: Final = "cross_template"
_WITHIN: Final = "within_template"
MAIN_EVAL_SETUPS: Final = tuple(f"{tier}_{novelty}" for tier in ACTION_TIERS for novelty in (_CROSS, _WITHIN))


class Fold(NamedTuple):
    """Task ids in order. Tune on dev; for final numbers train on train and dev, and report test."""

    train: tuple[str, ...]
    dev: tuple[str, ...]
    test: tuple[str, ...]


class FoldRule(StrEnum):
    """Who is tested when.

    BALANCED: five folds test everything once, so the ten folds test each template, and within templates each task,
    exactly twice; as many dev tasks of each template.
    ORIGINAL: the published rule. Its ten cross folds test some templates five times and three never, and its dev tasks
    within templates are drawn from all templates together.
    """

    BALANCED = "balanced"
    ORIGINAL = "original"


def list_eval_setups() -> tuple[str, ...]:
    return tuple(sorted(MAIN_EVAL_SETUPS))


def eval_setup_to_action_tier(eval_setup: str) -> str:
    return _parts(eval_setup)[0]


def get_fold(eval_setup: str, seed: int, rule: FoldRule | str = FoldRule.BALANCED) -> Fold:
    """Train, dev and test ids of fold `seed`, 0 to 9."""
    tier, _ = _parts(eval_setup)
    return fold_of(load_tasks(ACTION_TIERS[tier]), eval_setup, seed, rule)


def fold_of(task_ids: Iterable[str], eval_setup: str, seed: int, rule: FoldRule | str = FoldRule.BALANCED) -> Fold:
    """The same of a list of tasks."""
    _, novelty = _parts(eval_setup)
    if not 0 <= seed < NUM_FOLDS:
        raise ConfigError(f"Expected a fold from 0 to {NUM_FOLDS - 1} (got {seed}).")
    if rule not in list(FoldRule):
        raise ConfigError(f"Expected a rule of folds (got '{rule}'); {did_you_mean(rule, FoldRule)}")
    templates: dict[str, list[str]] = {}
    for task_id in sorted(task_ids):
        templates.setdefault(template_of(task_id), []).append(task_id)
    train, dev, test = _RULES[FoldRule(rule), novelty](templates, seed)
    return Fold(tuple(sorted(train)), tuple(sorted(dev)), tuple(sorted(test)))


_Templates = dict[str, list[str]]
_Lists = tuple[list[str], list[str], list[str]]  # train, dev, test


def _balanced_cross(templates: _Templates, fold: int) -> _Lists:
    return _with_tasks(templates, _rotated(templates, "comphy phyre templates", fold))


def _balanced_within(templates: _Templates, fold: int) -> _Lists:
    return _joined(_rotated(tasks, "comphy phyre tasks", fold) for tasks in templates.values())


def _rotated(names: Iterable[str], salt: str, fold: int) -> _Lists:
    """Five groups take turns to be tested, then they are drawn again; most of the next group to be tested is dev."""
    draw, turn = divmod(fold, GROUPS)
    order = _shuffled(names, f"{salt} {draw}")
    test = order[turn::GROUPS]
    following = order[(turn + 1) % GROUPS :: GROUPS]
    dev = following[: round(len(following) * TRAIN_SHARE)]
    return [name for name in order if name not in {*test, *dev}], dev, test


# The published rule, with the published words that are put behind a name before hashing. Both tiers use them.
def _original_cross(templates: _Templates, fold: int) -> _Lists:
    rest, test = _cut(_shuffled(templates, f"ball_cross_template_half_{fold}"))
    train, dev = _cut(_shuffled(rest, f"dev_ball_cross_template_half_{fold}"))
    return _with_tasks(templates, (train, dev, test))


def _original_within(templates: _Templates, fold: int) -> _Lists:
    cuts = [_cut(_shuffled(tasks, f"ball_online_ind_tasks{fold}")) for tasks in templates.values()]
    train, dev = _cut(_shuffled([one for rest, _ in cuts for one in rest], f"make_dev{fold}"))
    return train, dev, [one for _, test in cuts for one in test]


_RULES: Final[dict[tuple[FoldRule, str], Callable[[_Templates, int], _Lists]]] = {
    (FoldRule.BALANCED, _CROSS): _balanced_cross,
    (FoldRule.BALANCED, _WITHIN): _balanced_within,
    (FoldRule.ORIGINAL, _CROSS): _original_cross,
    (FoldRule.ORIGINAL, _WITHIN): _original_within,
}


def _shuffled(names: Iterable[str], salt: str) -> list[str]:
    return sorted(names, key=lambda name: md5((name + salt).encode()).digest())


def _cut(names: Sequence[str]) -> tuple[list[str], list[str]]:
    size = round(len(names) * TRAIN_SHARE)
    return list(names[:size]), list(names[size:])


def _with_tasks(templates: _Templates, split: _Lists) -> _Lists:
    train, dev, test = ([task for name in names for task in templates[name]] for names in split)
    return train, dev, test


def _joined(splits: Iterable[_Lists]) -> _Lists:
    train, dev, test = ([one for names in part for one in names] for part in zip(*splits, strict=True))
    return train, dev, test


def _parts(eval_setup: str) -> tuple[str, str]:
    """The tier and the novelty in a set-up's name."""
    for novelty in (_CROSS, _WITHIN):
        tier = eval_setup.removesuffix(f"_{novelty}")
        if tier in ACTION_TIERS:
            return tier, novelty
    raise ConfigError(
        f"Expected an evaluation set-up (got '{eval_setup}'); {did_you_mean(eval_setup, MAIN_EVAL_SETUPS)}"
    )

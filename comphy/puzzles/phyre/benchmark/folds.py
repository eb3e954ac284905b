"""Cross-validation folds: the split of tasks into train, dev and test.

An evaluation set-up is a tier and a kind of generalisation: to other tasks of the same templates (within) or to other
templates (cross). Each has ten folds, derived from md5 hashes of names: identical on every machine, without random state.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from hashlib import md5
from typing import Final, NamedTuple

from comphy.errors import ConfigError, did_you_mean
from comphy.puzzles.phyre.benchmark.tasks import load_tasks, template_of
from comphy.puzzles.phyre.world.actions import ACTION_TIERS

NUM_FOLDS: Final = 10
GROUPS: Final = 5  # one of them is the test set of a fold
TRAIN_SHARE: Final = 0.8

_CROSS: Final = "cross_template"
_WITHIN: Final = "within_template"
MAIN_EVAL_SETUPS: Final = tuple(f"{tier}_{novelty}" for tier in ACTION_TIERS for novelty in (_CROSS, _WITHIN))


class Fold(NamedTuple):
    """Sorted task ids. Tune on dev; for final results train on train and dev, and report test.

    Attributes:
        train: tasks to learn from.
        dev: tasks to tune on.
        test: tasks to report."""

    train: tuple[str, ...]
    dev: tuple[str, ...]
    test: tuple[str, ...]


class FoldRule(StrEnum):
    """How folds are split.

    Attributes:
        BALANCED: five-fold cross-validation, repeated with a second shuffle, so that each template (cross) or task
            (within) is in exactly two test sets; every template has equally many dev tasks.
        ORIGINAL: the published rule. Of its ten cross folds, some templates are in five test sets and three in none;
            its dev tasks within templates are drawn from all templates together."""

    BALANCED = "balanced"
    ORIGINAL = "original"


def list_eval_setups() -> tuple[str, ...]:
    """The names of all evaluation set-ups, sorted."""
    return tuple(sorted(MAIN_EVAL_SETUPS))


def eval_setup_to_action_tier(eval_setup: str) -> str:
    """Tell which tier an evaluation set-up is about.

    Args:
        eval_setup: one of `list_eval_setups()`.

    Returns:
        The name of the tier, ball or two_balls.

    Raises:
        ConfigError: for an unknown set-up."""
    return _parts(eval_setup)[0]


def get_fold(eval_setup: str, seed: int, rule: FoldRule | str = FoldRule.BALANCED) -> Fold:
    """Split the benchmark's tasks.

    Args:
        eval_setup: one of `list_eval_setups()`.
        seed: number of the fold, 0 to 9.
        rule: balanced or original.

    Returns:
        The fold.

    Raises:
        ConfigError: for an unknown set-up, fold or rule."""
    tier, _ = _parts(eval_setup)
    return fold_of(load_tasks(ACTION_TIERS[tier]), eval_setup, seed, rule)


def fold_of(task_ids: Iterable[str], eval_setup: str, seed: int, rule: FoldRule | str = FoldRule.BALANCED) -> Fold:
    """Split a given list of tasks as `get_fold` does.

    Args:
        task_ids: the tasks, in any order.
        eval_setup: one of `list_eval_setups()`.
        seed: number of the fold, 0 to 9.
        rule: balanced or original.

    Returns:
        The fold.

    Raises:
        ConfigError: for an unknown set-up, fold or rule."""
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
    """Fold of a repeated five-fold split: test is one group, dev the first 80 % of the next group, train the rest."""
    draw, turn = divmod(fold, GROUPS)
    order = _shuffled(names, f"{salt} {draw}")
    test = order[turn::GROUPS]
    following = order[(turn + 1) % GROUPS :: GROUPS]
    dev = following[: round(len(following) * TRAIN_SHARE)]
    return [name for name in order if name not in {*test, *dev}], dev, test


# The published rule, with its published hash salts, which are the same for both tiers.
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
    """The tier and the kind of generalisation in the name of an evaluation set-up."""
    for novelty in (_CROSS, _WITHIN):
        tier = eval_setup.removesuffix(f"_{novelty}")
        if tier in ACTION_TIERS:
            return tier, novelty
    raise ConfigError(
        f"Expected an evaluation set-up (got '{eval_setup}'); {did_you_mean(eval_setup, MAIN_EVAL_SETUPS)}"
    )

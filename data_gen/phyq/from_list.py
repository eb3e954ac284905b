"""Goes on from a list of tasks without its records: what was tried for it, as far as the list tells."""

from collections.abc import Sequence

from comphy.errors import DatasetError
from comphy.puzzles.phyq.tasks.task import Task
from comphy.puzzles.phyq.templates.published import Template
from comphy.puzzles.phyq.templates.variation import draw_placement
from data_gen.phyq.candidates import MOST_CANDIDATES, Candidate, candidate_rng
from data_gen.phyq.solutions.aim_of_shot import aim_of
from data_gen.phyq.solutions.aims import Aim


def candidates_of_list(template: Template, tasks: Sequence[Task]) -> list[Candidate]:
    """Candidates are drawn by their numbers, so those between the tasks of a list were tried without success."""
    wanted = list(tasks)
    found: list[Candidate] = []
    while wanted:
        if len(found) >= MOST_CANDIDATES * max(100, len(tasks)):
            raise DatasetError(
                f"Expected tasks that `comphy phyq build` of this version chose (got {wanted[0].id}, whose level it does "
                "not draw). Go on without the list, in a new folder."
            )
        placement = draw_placement(template, candidate_rng(template, len(found)))
        if placement == wanted[0].placement:
            task = wanted.pop(0)
            found.append(Candidate(placement, _aims(task), task.solution))
        else:
            found.append(Candidate(placement))
    return found


def _aims(task: Task) -> tuple[Aim, ...]:
    return tuple(aim_of(shot, task.template, task.placement) for shot in task.solution)

"""Tasks are chosen by rules, the same ones however often the choice is stopped."""

import json
import shutil
import subprocess
import sys
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from comphy.errors import DatasetError
from comphy.puzzles.phyre.benchmark.tasks import read_tasks
from comphy.puzzles.phyre.templates.scene_builder import SceneBuilder
from comphy.puzzles.phyre.templates.template import (
    Rule,
    Template,
    all_templates,
    candidates,
    find_template,
    template,
    templates_of,
)
from comphy.puzzles.phyre.world.actions import BALL, TWO_BALLS
from comphy.puzzles.phyre.world.scene import Scene
from comphy.puzzles.phyre.world.shapes import ball, bar
from comphy.puzzles.phyre.world.simulator import ActionSimulator
from comphy.sim.bullet import Engine
from data_gen.phyre.build import build, go_on, prove_again, read_trials, records_file, summarize, write_chosen
from data_gen.phyre.difficulty import PUBLISHED_SHARE
from data_gen.phyre.search import FEW, Effort, Searcher
from data_gen.phyre.selection import CandidateTrial, SelectionOutcome, chosen, hard_enough, thinned_out, trials, wanted
from tests.support.leftovers import half_written, left_behind
from tests.support.waiting import wait_until

pytestmark = pytest.mark.bullet
QUICK = Effort(probe=25, sibling_tries=25, extra_random=25, single_ball_tries=25)
TWO_MEET = find_template("00000")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a build of which four lines are written. Read only."""
    folder = tmp_path_factory.mktemp("begun")
    assert [one.tried for one in islice(go_on(TWO_MEET, folder, QUICK), 4)] == [0, 1, 2, 3]
    return folder


@pytest.fixture
def built(begun: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(begun, tmp_path / "built"))


@template("00000", BALL, {"gap": (0.0, 0.1)}, Rule.NOT_TRIVIAL)
def onto_the_floor(gap: float) -> Scene:
    """A ball that falls onto the goal by itself."""
    scene = SceneBuilder()
    floor = scene.fixed(bar(1.0), left=0.0, bottom=0.0)
    scene.goal(scene.moving(ball(0.1), centre_x=0.5, bottom=floor.top + gap), floor)
    return scene.build()


@template("00000", BALL, {"x": (0.3,)}, Rule.NONE)
def out_of_reach(x: float) -> Scene:
    """Two balls in deep pits: no single ball brings them together."""
    scene = SceneBuilder()
    for wall in (0.2, 0.4, 0.6, 0.8):
        scene.fixed(bar(0.9), 90, centre_x=wall, bottom=0.0)
    first = scene.moving(ball(0.1), centre_x=x, bottom=0.0)
    scene.goal(first, scene.moving(ball(0.1), centre_x=0.7, bottom=0.0))
    return scene.build()


def test_two_balls_are_borrowed_from_two_siblings():
    """Both are told right ball first; what comes is ordered from left to right."""
    siblings = [(0.9, 0.5, 0.3, 0.1, 0.5, 0.3), (0.7, 0.8, 0.3, 0.3, 0.8, 0.3)]
    scene = next(candidates(find_template("00118"))).scene
    with Engine() as engine:
        searcher = Searcher(replace(scene, bodies=()), TWO_BALLS, np.random.default_rng(0), engine)
        tried = np.array(list(islice(searcher._near(siblings), 400)))
    lefts, rights = tried[:, 0], tried[:, 3]
    assert (lefts < rights).mean() > 0.95  # but for those that were moved far
    for left in (0.1, 0.3):
        for right in (0.7, 0.9):
            assert ((abs(lefts - left) < 0.01) & (abs(rights - right) < 0.01)).sum() > 10


def test_two_balls_are_borrowed_from_those_most_alike_first():
    """Of 64 siblings, told from the most to the least alike, the first eight give half."""
    siblings = [(0.1 + 0.012 * k, 0.9, 0.1, 0.95, 0.1, 0.1) for k in range(64)]
    scene = next(candidates(find_template("00118"))).scene
    with Engine() as engine:
        searcher = Searcher(replace(scene, bodies=()), TWO_BALLS, np.random.default_rng(0), engine)
        lefts = np.array([searcher._of_siblings(np.array(siblings)) for _ in range(40)])[..., 0]
    alike, others = lefts < 0.1 + 0.012 * 7.5, (lefts > 0.1 + 0.012 * 7.5) & (lefts < 0.1 + 0.012 * 15.5)
    assert alike.sum() > 3 * others.sum() > 0


@pytest.mark.slow
def test_what_many_siblings_cannot_help_is_left_for_the_last_round():
    scene = next(candidates(find_template("00118"))).scene
    effort = Effort(probe=5, sibling_tries=10, extra_random=5, hill_climbing_runs=50)
    useless = (0.05, 0.95, 0.0, 0.15, 0.95, 0.0)
    spent = {}
    with Engine() as engine:
        for known, last in ((FEW - 1, False), (FEW, False), (FEW, True)):
            searcher = Searcher(scene, TWO_BALLS, np.random.default_rng(0), engine)
            found = searcher.search([useless] * known, effort, last)
            assert found.solution is None
            spent[known, last] = found.tried
    assert spent[FEW, False] == 20
    assert min(spent[FEW - 1, False], spent[FEW, True]) >= 70


@pytest.mark.slow
def test_a_solution_is_found_and_is_stable():
    scene = next(candidates(TWO_MEET)).scene
    with Engine() as engine:
        found = Searcher(scene, BALL, np.random.default_rng(0), engine).search((), Effort())
    assert found.solution is not None and found.probed == 100 and found.tried >= 100
    with ActionSimulator({"": scene}, BALL) as simulator:
        again = simulator.simulate_action(0, found.solution, need_images=False, stable=True)
    assert again.status.is_stably_solved()


def test_a_solution_of_a_sibling_helps():
    """With no luck of its own allowed, a scene is solved by what solved the same scene before."""
    scene = next(candidates(find_template("00015"))).scene
    none_at_random = Effort(probe=1, sibling_tries=50, extra_random=0)
    with Engine() as engine:
        known = Searcher(scene, BALL, np.random.default_rng(1), engine).search((), Effort(extra_random=3000)).solution
        assert known is not None
        alone = Searcher(scene, BALL, np.random.default_rng(2), engine).search((), none_at_random)
        helped = Searcher(scene, BALL, np.random.default_rng(2), engine).search([known], none_at_random)
    assert alone.solution is None and helped.solution is not None


@pytest.mark.slow
def test_one_ball_may_be_enough():
    scene = next(candidates(TWO_MEET)).scene
    with Engine() as engine:
        solution = Searcher(scene, BALL, np.random.default_rng(0), engine).search((), Effort()).solution
        assert solution is not None
        with_idle_ball = (*solution, 0.05, 0.95, 0.0)
        searcher = Searcher(scene, TWO_BALLS, np.random.default_rng(0), engine)
        assert searcher.one_ball_is_enough(with_idle_ball, Effort(single_ball_tries=0))


@pytest.mark.parametrize(
    ("made", "outcome"), [(onto_the_floor, SelectionOutcome.SOLVES_ITSELF), (out_of_reach, SelectionOutcome.UNSOLVED)]
)
def test_candidates_that_break_a_rule(made: Template, outcome: SelectionOutcome):
    assert {trial.outcome for trial in trials(made, [], QUICK)} == {outcome}


@pytest.mark.slow
def test_what_is_solved_too_easily_is_trivial():
    easy = replace(TWO_MEET, rules=Rule.NOT_TRIVIAL, domain={**TWO_MEET.domain, "bottom": (0.2,)})
    found = list(islice(trials(easy, [], Effort(probe=10, sibling_tries=0, extra_random=0)), 30))
    solved = [trial for trial in found if trial.stable]
    assert solved and all((trial.outcome is SelectionOutcome.TRIVIAL) == (trial.stable >= 1) for trial in solved)


@pytest.mark.slow
def test_a_choice_that_was_stopped_goes_on_as_if_it_had_not_been():
    straight = list(islice(trials(TWO_MEET, [], QUICK), 6))
    assert straight[:3] + list(islice(trials(TWO_MEET, straight[:3], QUICK), 3)) == straight
    assert [trial.number for trial in straight] == list(range(6))


def test_unsolved_candidates_get_another_chance():
    rounds = [trial.round for trial in trials(out_of_reach, [], QUICK)]
    assert rounds == [0, 1, 2]


def test_the_easiest_tasks_are_left_out():
    tasks = [
        CandidateTrial(k, 0, {}, SelectionOutcome.TASK, (100, 100, 10), 100, stable, 1)
        for k, stable in enumerate((0, 9, 1, 6, 0))
    ]
    assert [trial.number for trial in hard_enough(tasks, 0.02, 2)] == [0, 2, 3, 4]
    assert [trial.number for trial in hard_enough(tasks, 0.001, 2)] == [0, 4]
    assert hard_enough(tasks, 0.04, 2) == tasks


def test_every_template_has_a_published_difficulty():
    assert set(PUBLISHED_SHARE) == {one.id for one in all_templates()}


def test_tasks_that_masters_solve_are_thinned_out():
    power = np.zeros((3, 6), dtype=bool)
    power[0, :4] = True  # one action solves the first four
    power[1, 4] = power[2, 5] = True
    assert thinned_out(power, 4) == [2, 3, 4, 5]
    assert thinned_out(power, 6) == list(range(6))
    assert len(thinned_out(np.zeros((3, 6), dtype=bool), 2)) == 2


def test_a_build_is_kept_line_by_line(built: Path):
    path = records_file(built, TWO_MEET)
    known = read_trials(path, TWO_MEET, QUICK)
    path.write_text(path.read_text() + '{"number": 3, "rou')  # killed while it wrote
    assert read_trials(path, TWO_MEET, QUICK) == known and path.read_text().endswith("\n")
    assert next(iter(go_on(TWO_MEET, built, QUICK))).tried == 3


def test_a_build_clears_what_a_killed_one_left(built: Path):
    left = half_written(records_file(built, TWO_MEET))
    next(iter(go_on(TWO_MEET, built, QUICK)))
    assert not left.exists()


def test_what_does_not_hold_here_is_struck_out(built: Path):
    """As if another machine had found a solution that is none on this one."""
    path = records_file(built, TWO_MEET)
    known = read_trials(path, TWO_MEET, QUICK)
    tasks = [one for one in known if one.outcome is SelectionOutcome.TASK]
    assert tasks and prove_again(TWO_MEET.id, built, QUICK) == 0 and read_trials(path, TWO_MEET, QUICK) == known
    spoiled = replace(tasks[0], solution=(5, 250, 3))
    head = path.read_text().splitlines()[0]
    rows = [json.dumps(asdict(spoiled if one is tasks[0] else one)) for one in known]
    path.write_text("\n".join([head, *rows]) + "\n")
    assert prove_again(TWO_MEET.id, built, QUICK) == 1
    left = read_trials(path, TWO_MEET, QUICK)
    assert [one.outcome for one in left if one.number == spoiled.number] == [SelectionOutcome.FRAGILE]
    assert sum(one.outcome is SelectionOutcome.TASK for one in left) == len(tasks) - 1


def test_proving_touches_nothing_that_is_missing_or_of_another_version(built: Path, tmp_path: Path):
    path = records_file(tmp_path, TWO_MEET)
    assert prove_again(TWO_MEET.id, tmp_path, QUICK) == 0 and not path.exists()
    path = records_file(built, TWO_MEET)
    before = path.read_text()
    with pytest.raises(
        DatasetError, match=r"00000\.jsonl: expected records of template 00000 as it is in this version"
    ):
        prove_again(TWO_MEET.id, built, replace(QUICK, probe=26))
    assert path.read_text() == before


def test_more_tasks_are_wanted_where_they_are_easier_than_the_published_ones():
    def known(tasks: int, stable: int) -> list[CandidateTrial]:
        return [CandidateTrial(k, 0, {}, SelectionOutcome.TASK, (100, 100, 10), 100, stable, 100) for k in range(tasks)]

    easy, hard = 9, 1  # of 100 random actions; the published tasks have 5.5 stable ones
    assert wanted(TWO_MEET, known(50, easy)) == wanted(TWO_MEET, known(100, hard)) == 100
    assert wanted(TWO_MEET, known(100, easy)) == 200
    assert wanted(TWO_MEET, known(100, hard) + known(60, easy)) == 100


def test_another_template_or_effort_begins_anew(built: Path):
    path = records_file(built, TWO_MEET)
    changed = replace(TWO_MEET, rules=Rule.NONE)
    assert read_trials(path, changed, QUICK) == []


def test_records_of_version_0_1_are_gone_on_with(built: Path):
    path = records_file(built, TWO_MEET)
    known = read_trials(path, TWO_MEET, QUICK)
    header, rows = path.read_text().split("\n", 1)
    effort = {"probe": 25, "borrowed": 25, "patience": 25, "climbed": 0, "alone": 25}
    path.write_text(json.dumps(json.loads(header) | {"effort": effort}) + "\n" + rows)
    assert read_trials(path, TWO_MEET, QUICK) == known and known
    assert path.read_text() == f"{header}\n{rows}", "under the names of today"


@pytest.mark.slow
@pytest.mark.parametrize("ray_address", [None, "local"])
def test_several_processes_build_several_templates(tmp_path: Path, ray_address: str | None):
    """Both have enough tasks already."""
    few = [find_template("00000"), find_template("00002")]
    paths = [records_file(tmp_path, one) for one in few]
    for one, path in zip(few, paths, strict=True):
        record = read_trials(path, one, QUICK)
        assert record == []
        done = [CandidateTrial(k, 0, {}, SelectionOutcome.TASK, (100, 100, 10), 1, 0, 1) for k in range(200)]
        path.write_text(path.read_text() + "".join(_line(trial) for trial in done))
    seen: list[str] = []
    build(few, tmp_path, QUICK, 2, lambda progress: seen.append(progress.template_id), ray_address)
    assert sorted(seen) == ["00000", "00002"]
    assert summarize(few[0], tmp_path, QUICK).complete


@pytest.mark.slow
def test_workers_of_a_killed_build_end_too(tmp_path: Path):
    """They would write into the files of the build that goes on."""
    command = [sys.executable, "tools/phyre.py", "build", "--template", "00000", "--template", "00001"]
    running = subprocess.Popen([*command, "--workers", "2", "--out", str(tmp_path)], start_new_session=True)
    records = [tmp_path / "00000.jsonl", tmp_path / "00001.jsonl"]
    wait_until(lambda: all(path.is_file() and path.read_text() for path in records))
    running.kill()
    running.wait()
    wait_until(lambda: not left_behind(running.pid))


@pytest.mark.slow
def test_a_finished_build_becomes_the_task_list(tmp_path: Path):
    for one in templates_of(BALL):
        path, parameters = records_file(tmp_path, one), next(candidates(one)).parameters
        read_trials(path, one, QUICK)
        found = [CandidateTrial(k, 0, parameters, SelectionOutcome.TASK, (100, 100, 10), 1, 0, 1) for k in range(100)]
        path.write_text(path.read_text() + "".join(_line(trial) for trial in found))
    write_chosen(tmp_path / "ball.json.gz", BALL, tmp_path, QUICK, workers=2)
    tasks = read_tasks(tmp_path / "ball.json.gz", BALL)
    assert len(tasks) == 2500
    assert tasks["00024:099"].solution == (100, 100, 10)


def test_an_unfinished_build_is_not_written(tmp_path: Path):
    with pytest.raises(DatasetError, match=r"expected 100 tasks of every template \(found fewer of 00000, 00001"):
        write_chosen(tmp_path / "ball.json.gz", BALL, tmp_path, QUICK)


def test_chosen_tasks_are_a_hundred_in_the_order_of_their_numbers():
    done = [
        CandidateTrial(k, 0, {}, SelectionOutcome.TASK, (100, 100, 10), 1, 0, 1) for k in (*range(50, 120), *range(50))
    ]
    plain = replace(TWO_MEET, rules=Rule.NONE)
    assert [trial.number for trial in chosen(plain, done)] == list(range(100))


def _line(trial: CandidateTrial) -> str:
    return json.dumps(asdict(trial)) + "\n"

"""Sampled sets meet every rule of the benchmark, depend on (seed, index) alone, and fail with reasons."""

import re
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest

from comphy.errors import ConfigError, SamplingError
from comphy.scene.camera import Camera
from comphy.scene.vocabulary import Family
from comphy.sim.bullet import Engine
from comphy.sim.recording import Recording
from comphy.sim.rollout import Rollout
from data_gen.sampling.looks import draw_objects
from data_gen.sampling.reference import plan_casts
from data_gen.sampling.rules import Rejection, SceneRules
from data_gen.sampling.sampler import SampledSet, SetSampler
from tests.support.rollouts import identical

pytestmark = pytest.mark.bullet

CAMERA = Camera()
COUNT = 6
SEED = 0


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine


@pytest.fixture(scope="module")
def sets(engine: Engine) -> list[SampledSet]:
    sampler = SetSampler(SceneRules(), SEED, CAMERA, engine)
    return [sampler.draw(i) for i in range(COUNT)]


def recordings(drawn: SampledSet) -> tuple[Recording, ...]:
    return (drawn.target, *drawn.references)


def in_picture(rollout: Rollout, frame: int, i: int) -> bool:
    (u, v), _ = CAMERA.project(rollout.positions[frame, i])
    return bool(0 <= u < 480 and 0 <= v < 320)


def test_targets_have_three_to_five_objects_of_unique_looks(sets: list[SampledSet]) -> None:
    for drawn in sets:
        objects = drawn.target.video.objects
        assert 3 <= len(objects) <= 5
        assert len({(o.color, o.shape, o.material) for o in objects}) == len(objects)


def test_masses_and_charges_follow_the_family(sets: list[SampledSet]) -> None:
    for drawn in sets:
        objects = drawn.target.video.objects
        heavy, charged = sum(o.mass == 5.0 for o in objects), sum(o.charge != 0 for o in objects)
        assert all(o.mass in (1.0, 5.0) and o.charge in (-1, 0, 1) for o in objects)
        assert heavy <= 1
        assert charged in (0, 2)
        match drawn.scene.family:
            case Family.MASS:
                assert charged == 0
            case Family.CHARGE:
                assert (heavy, charged) == (0, 2)
            case Family.BOTH:
                assert (heavy, charged) == (1, 2)


def test_targets_show_125_frames_and_hide_50(sets: list[SampledSet]) -> None:
    for drawn in sets:
        assert (drawn.target.video.visible_frames, drawn.target.video.total_frames) == (125, 175)
        assert len(drawn.target.rollout) == 175
        assert len(drawn.target.clip()) == 125
        assert drawn.target.views.visibility.shape == (125, len(drawn.target.video.objects))


def test_four_references_show_two_or_three_of_the_same_objects_for_two_seconds(sets: list[SampledSet]) -> None:
    for drawn in sets:
        objects = drawn.target.video.objects
        assert len(drawn.references) == 4
        for reference in drawn.references:
            assert (reference.video.visible_frames, len(reference.rollout)) == (50, 50)
            assert 2 <= len(reference.video.objects) <= 3
            assert len(set(reference.video.object_ids)) == len(reference.video.objects)
            assert reference.video.objects == tuple(objects[k] for k in reference.video.object_ids)


def test_every_object_is_in_a_reference(sets: list[SampledSet]) -> None:
    for drawn in sets:
        shown = {k for reference in drawn.references for k in reference.video.object_ids}
        assert shown == set(range(len(drawn.target.video.objects)))


@pytest.mark.parametrize("family", list(Family))
@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_casts_always_cover_all_objects(family: Family, count: int) -> None:
    rng = np.random.default_rng(count)
    rules = SceneRules(min_objects=count, max_objects=count)
    for _ in range(50):
        objects = draw_objects(rng, rules, family)
        casts = plan_casts(rng, objects)
        assert len(casts) == 4
        assert {k for _, cast in casts for k in cast} == set(range(count))
        for pair, cast in casts:
            assert pair[0] != pair[1]
            assert set(pair) <= set(cast)
            assert len(set(cast)) == len(cast) <= 3
        charged = {k for k, spec in enumerate(objects) if spec.charge}
        assert not charged or any(set(pair) == charged for pair, _ in casts)


def interacts(recording: Recording) -> bool:
    """A collision in view, or a charged pair off the path it would take uncharged, judged without the event finder."""
    rollout, shown = recording.rollout, recording.video.visible_frames
    for collision in rollout.collisions:
        frame = collision.step // 10
        if frame < shown and all(in_picture(rollout, frame, i) for i in collision.pair):
            return True
    if recording.uncharged is None:
        return False
    offset = np.linalg.norm(rollout.positions[:shown] - recording.uncharged.positions[:shown], axis=-1)
    charged = [i for i, spec in enumerate(recording.video.objects) if spec.charge]
    return any(offset[f, i] > 0.05 and in_picture(rollout, f, i) for f in range(shown) for i in charged)


def test_every_video_has_an_interaction_in_view(sets: list[SampledSet]) -> None:
    for drawn in sets:
        for recording in recordings(drawn):
            assert interacts(recording)


def test_hidden_properties_show_in_a_reference(sets: list[SampledSet]) -> None:
    for drawn in sets:
        objects = drawn.target.video.objects
        charged = {k for k, spec in enumerate(objects) if spec.charge}
        if charged:
            assert any(charged <= set(reference.video.object_ids) for reference in drawn.references)
        for heavy in (k for k, spec in enumerate(objects) if spec.mass == 5.0):
            videos = [r for r in drawn.references if heavy in r.video.object_ids]
            touched = [heavy in (r.video.object_ids[i] for c in r.rollout.collisions for i in c.pair) for r in videos]
            assert any(touched) or heavy in charged


def test_objects_start_apart_stand_on_the_table_and_are_seen(sets: list[SampledSet]) -> None:
    for drawn in sets:
        for recording in recordings(drawn):
            starts = recording.rollout.positions[0]
            assert min(np.linalg.norm(a - b) for a, b in combinations(starts, 2)) >= 0.6
            assert np.abs(recording.rollout.positions[..., 2] - 0.2).max() <= 0.02
            assert ((recording.views.visibility >= 0.5).sum(axis=0) >= 15).all()


def test_there_is_a_run_for_every_premise(sets: list[SampledSet]) -> None:
    for drawn in sets:
        expected = set()
        for i, spec in enumerate(drawn.target.video.objects):
            expected.add(f"mass_{i}_{1 if spec.mass == 5.0 else 5}")
            if spec.charge:
                expected |= {f"charge_{i}_0", f"charge_{i}_{-spec.charge}"}
        assert {change.key for change in drawn.counterfactuals} == expected
        for change, rollout in drawn.counterfactuals.items():
            assert len(rollout) == 125
            np.testing.assert_array_equal(rollout.positions[0], drawn.target.rollout.positions[0])
            if change.key.startswith("charge"):
                assert not np.array_equal(rollout.positions[-1], drawn.target.rollout.positions[124])


def assert_same(a: SampledSet, b: SampledSet) -> None:
    assert a.scene == b.scene
    assert a.rejections == b.rejections
    for one, two in zip(recordings(a), recordings(b), strict=True):
        assert identical(one.rollout, two.rollout)
        assert one.events == two.events
        np.testing.assert_array_equal(one.views.boxes, two.views.boxes)
    assert list(a.counterfactuals) == list(b.counterfactuals)
    assert all(identical(a.counterfactuals[change], b.counterfactuals[change]) for change in a.counterfactuals)


def test_a_set_does_not_depend_on_those_before_it(sets: list[SampledSet]) -> None:
    with Engine() as engine:
        sampler = SetSampler(SceneRules(), SEED, CAMERA, engine)
        for index in (4, 1):
            assert_same(sampler.draw(index), sets[index])


def test_sets_differ_by_index_and_seed(sets: list[SampledSet], engine: Engine) -> None:
    assert len({drawn.scene.target for drawn in sets}) == COUNT
    other = SetSampler(SceneRules(), SEED + 1, CAMERA, engine).draw(0)
    assert other.scene.target != sets[0].scene.target


def test_a_family_of_weight_zero_is_not_drawn(engine: Engine) -> None:
    rules = SceneRules(families={"mass": 0.0, "both": 1.0}, max_objects=3)
    drawn = SetSampler(rules, SEED, CAMERA, engine).draw(0)
    assert drawn.scene.family is Family.BOTH
    assert len(drawn.target.video.objects) == 3


def test_an_aimed_future_pair_meets_first_in_the_hidden_frames(engine: Engine) -> None:
    rules = SceneRules(future_share=1.0, families={"mass": 1.0})
    rollout = SetSampler(rules, SEED, CAMERA, engine).draw(1).target.rollout
    first: dict[tuple[int, int], int] = {}
    for collision in rollout.collisions:
        first.setdefault(collision.pair, collision.step // 10)
    assert any(125 <= frame < 175 for frame in first.values())


def test_impossible_rules_are_refused_before_anything_is_drawn(engine: Engine) -> None:
    with pytest.raises(ConfigError) as caught:
        SetSampler(SceneRules(min_objects=1, heavy_share=2.0), SEED, CAMERA, engine)
    assert "min_objects" in str(caught.value)
    assert "heavy_share" in str(caught.value)


def test_a_rule_that_is_never_met_names_the_counts(engine: Engine) -> None:
    sampler = SetSampler(SceneRules(min_gap=50.0, target_attempts=9), SEED, CAMERA, engine)
    with pytest.raises(SamplingError, match=r"Set 2 \(seed 0, family \w+\).*in 9 attempts.*Relax") as caught:
        sampler.draw(2)
    counts = {reason: int(count) for count, reason in re.findall(r"(\d+) x ([^;)]+)", str(caught.value))}
    assert counts[str(Rejection.TOO_CLOSE)] > 0
    assert sum(counts.values()) == 9


def test_the_picture_size_does_not_change_the_scene(engine: Engine):
    """Renderings of one seed at several sizes must show the same videos."""
    large = SetSampler(SceneRules(), 0, Camera(), engine).draw(3)
    small = SetSampler(SceneRules(), 0, Camera().resized(96, 64), engine).draw(3)
    assert small.scene == large.scene
    assert identical(small.target.rollout, large.target.rollout)
    seen = small.target.views.visibility > 0.99
    assert np.allclose(small.target.views.boxes[seen] * 5, large.target.views.boxes[seen], atol=5.1)

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.perceiver.tracking.alignment import (
    AttributeAppearance,
    FeatureAppearance,
    align,
    align_tracks,
    owners_by_attributes,
)
from models.perceiver.tracking.tracker import Tracks, track
from tests.support.pseudo_detections import Faults, make_looks, observe, random_paths


def _log_probabilities(labels: list[int], values: int, sure: float = 0.98) -> np.ndarray:
    chances = np.full((len(labels), values), (1 - sure) / (values - 1))
    chances[np.arange(len(labels)), labels] = sure
    return np.log(chances)


def _looks(colors: list[int], shapes: list[int], materials: list[int]) -> AttributeAppearance:
    return AttributeAppearance(
        [_log_probabilities(colors, 8), _log_probabilities(shapes, 3), _log_probabilities(materials, 2)]
    )


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), count=st.integers(3, 5), shown=st.integers(1, 3))
def test_features_find_their_objects(seed: int, count: int, shown: int) -> None:
    rng = np.random.default_rng(seed)
    looks = make_looks(count, rng)
    chosen = rng.permutation(count)[:shown]
    centre = looks.mean(axis=0)
    reference = FeatureAppearance(looks[chosen] + 0.3 * rng.normal(size=(shown, looks.shape[1])), centre)
    assert align(reference, FeatureAppearance(looks, centre)).tolist() == chosen.tolist()


def test_attributes_find_their_objects() -> None:
    target = _looks([0, 1, 1, 2], [0, 0, 1, 2], [0, 1, 1, 0])
    assert align(_looks([1, 2, 1], [1, 2, 0], [1, 0, 1]), target).tolist() == [2, 3, 1]


def test_attribute_similarity_is_the_chance_of_equal_labels() -> None:
    a = AttributeAppearance([np.log([[0.9, 0.1]]), np.log([[0.2, 0.3, 0.5]])])
    b = AttributeAppearance([np.log([[0.6, 0.4]]), np.log([[0.1, 0.1, 0.8]])])
    expected = np.log((0.9 * 0.6 + 0.1 * 0.4) * (0.2 * 0.1 + 0.3 * 0.1 + 0.5 * 0.8))
    np.testing.assert_allclose(a.similarity(b), [[expected]], rtol=1e-6)


def test_one_mistaken_attribute_is_forgiven_and_two_are_not() -> None:
    target = _looks([0, 1], [0, 1], [0, 1])
    assert align(_looks([0], [2], [0]), target).tolist() == [0]
    assert align(_looks([5], [2], [0]), target).tolist() == [-1]


def test_certain_labels_that_differ_do_not_break_the_assignment() -> None:
    with np.errstate(divide="ignore"):
        certain = AttributeAppearance([np.log(np.eye(3))])
        unlike = AttributeAppearance([np.log(np.eye(3)[[1, 1]])])
    assert sorted(align(unlike, certain).tolist()) == [-1, 1]


def test_two_of_one_look_get_different_objects_and_none_below_the_threshold() -> None:
    target = FeatureAppearance(np.array([[1.0, 0.0], [0.6, 0.8]]), np.zeros(2))
    twins = FeatureAppearance(np.array([[1.0, 0.0], [0.9, 0.1]]), np.zeros(2))
    assert align(twins, target).tolist() == [0, 1]
    assert align(twins, target, threshold=0.9).tolist() == [0, -1]
    assert align(FeatureAppearance(np.array([[-1.0, -1.0]]), np.zeros(2)), target).tolist() == [-1]


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), here=st.integers(1, 4), there=st.integers(1, 4))
def test_the_assignment_is_the_best_of_all(seed: int, here: int, there: int) -> None:
    """Against all one-to-one assignments, where pairs below the threshold add nothing."""
    rng = np.random.default_rng(seed)
    reference = FeatureAppearance(rng.normal(size=(here, 3)), np.zeros(3))
    target = FeatureAppearance(rng.normal(size=(there, 3)), np.zeros(3))
    similarity = np.maximum(reference.similarity(target), 0)
    found = align(reference, target)
    padded = np.zeros((here, there + here))
    padded[:, :there] = similarity
    best = max(
        sum(padded[row, column] for row, column in enumerate(way)) for way in permutations(range(there + here), here)
    )
    assert sum(similarity[row, column] for row, column in enumerate(found) if column >= 0) == pytest.approx(
        best, abs=1e-5
    )
    kept = found[found >= 0]
    assert len(set(kept.tolist())) == len(kept)


def test_no_tracks_are_no_assignments() -> None:
    nobody, somebody = FeatureAppearance(np.zeros((0, 4)), np.zeros(4)), FeatureAppearance(np.ones((2, 4)), np.zeros(4))
    assert align(nobody, somebody).tolist() == []
    assert align(somebody, nobody).tolist() == [-1, -1]


def test_looks_with_other_attributes_are_refused() -> None:
    with pytest.raises(ValueError, match=r"Expected 3 attributes as of the target \(got 1\)"):
        align(AttributeAppearance([_log_probabilities([0], 8)]), _looks([0], [0], [0]))


def _tracked(chosen: list[int], looks: np.ndarray, frames: int, rng: np.random.Generator) -> Tracks:
    """Objects on separate straight lines, from left to right in the order given."""
    truth = np.zeros((frames, len(chosen), 4))
    for n in range(len(chosen)):
        truth[:, n] = (80 * n + 10, 50 + 10 * n, 80 * n + 50, 90 + 10 * n)
    seen = observe(truth, looks[chosen], rng, Faults(jitter=0.5, misses=0.05))
    return track(seen.boxes, seen.scores, seen.features, centre=looks.mean(axis=0))


def test_a_set_is_aligned_by_features() -> None:
    rng = np.random.default_rng(0)
    looks = make_looks(4, rng)
    target = _tracked([0, 1, 2, 3], looks, 125, rng)
    references = [_tracked(chosen, looks, 50, rng) for chosen in ([3, 1], [2, 0, 3])]
    assignments = align_tracks(target, references)
    assert [found.tolist() for found in assignments] == [[3, 1], [2, 0, 3]]


def test_a_set_is_aligned_by_attributes() -> None:
    target = _looks([0, 1, 1, 2], [0, 0, 1, 2], [0, 1, 1, 0])
    references = [_looks([1, 2, 1], [1, 2, 0], [1, 0, 1]), _looks([7], [1], [0]), _looks([], [], [])]
    owners = owners_by_attributes(target.attributes, [one.attributes for one in references])
    assert owners.dtype == np.int64 and owners.tolist() == [[2, 3, 1], [-1, -1, -1], [-1, -1, -1]]
    assert owners_by_attributes(target.attributes, []).shape == (0, 0)


def test_random_sets_are_aligned_after_tracking() -> None:
    for seed in range(10):
        rng = np.random.default_rng(seed)
        looks = make_looks(4, rng)
        paths = random_paths(4, rng)
        videos = []
        for chosen in ([0, 1, 2, 3], [2, 0], [3, 1, 0]):
            seen = observe(paths[:, chosen], looks[chosen], rng, Faults(jitter=1.0, misses=0.1, false_alarms=0.5))
            videos.append(track(seen.boxes, seen.scores, seen.features, centre=looks.mean(axis=0)))
        target, *references = videos
        for reference, found in zip(references, align_tracks(target, references), strict=True):
            shared = [(n, owner) for n, owner in enumerate(found) if owner >= 0]
            for n, owner in shared:
                both = reference.seen[:, n] & target.seen[:, owner]
                near = np.abs(reference.boxes[both, n] - target.boxes[both, owner])
                assert np.median(near) < 5, "the same path in both videos"
            assert len(shared) == len(reference)

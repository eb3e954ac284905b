from pathlib import Path

import numpy as np
import pytest

from comphy.dataset import layout
from comphy.dataset.annotations.annotation import read_annotation
from comphy.dataset.packs.codec import POSITION_STEP, VELOCITY_STEP, decode, encode
from comphy.dataset.packs.rollouts import Pack, reference_name, target_name, write_pack
from comphy.errors import DatasetError
from comphy.scene.objects import ObjectSpec, Video
from comphy.scene.vocabulary import Color, Material, Shape
from comphy.sim.rollout import Collision, Rollout


def example(rng: np.random.Generator, frames: int = 60) -> tuple[Video, Rollout]:
    """Wild motion, harder than any physics: random walks and random spins."""
    objects = (
        ObjectSpec(Color.RED, Shape.CUBE, Material.METAL, 5.0, -1),
        ObjectSpec(Color.CYAN, Shape.SPHERE, Material.RUBBER),
    )
    turns = rng.normal(size=(frames, 2, 4))
    turns /= np.linalg.norm(turns, axis=-1, keepdims=True)
    rollout = Rollout(
        positions=rng.normal(size=(frames, 2, 3)).cumsum(0),
        orientations=turns,
        velocities=rng.normal(size=(frames, 2, 3)),
        angular_velocities=np.zeros((frames, 2, 3)),
        collisions=(Collision(12, 15, (0, 1), 0.5, (0.1, 0.2, 0.3)),),
        steps_per_frame=10,
    )
    return Video(objects, (), (2, 0), frames - 10, frames), rollout


def test_decoding_is_within_half_a_quantum():
    video, rollout = example(np.random.default_rng(1))
    packed = decode(encode(video, rollout), "test")
    assert packed.objects == video.objects and packed.object_ids == (2, 0)
    assert np.abs(packed.rollout.positions - rollout.positions).max() <= POSITION_STEP / 2 + 1e-9
    assert np.abs(packed.rollout.velocities - rollout.velocities).max() <= VELOCITY_STEP / 2 + 1e-9
    assert packed.rollout.collisions == rollout.collisions
    same = np.abs((packed.rollout.orientations[:, 0] * rollout.orientations[:, 0]).sum(-1))
    assert same.min() > 1 - 1e-6
    assert len(packed.clip()) == 50


def test_a_set_takes_a_few_kilobytes(small_dataset: Path):
    pack = Pack(small_dataset / layout.PACK)
    assert pack.sets() == [0, 1, 2, 3]
    assert (small_dataset / layout.PACK).stat().st_size / 4 < 6000


def test_the_pack_moves_as_the_annotation_says(small_dataset: Path):
    pack = Pack(small_dataset / layout.PACK)
    annotation = read_annotation(small_dataset / layout.target_annotation(2))
    packed = pack.video(target_name(2))
    assert np.abs(packed.rollout.positions - annotation.locations).max() < 1e-4
    assert len(packed.clip()) == 125
    assert len(pack.video(reference_name(2, 3)).clip()) == 50


def test_damaged_packs_are_named(tmp_path: Path):
    video, rollout = example(np.random.default_rng(2))
    blob = encode(video, rollout)
    with pytest.raises(DatasetError, match="here: the packed trajectory is damaged"):
        decode(blob[:-20], "here")
    path = tmp_path / "a.pack"
    with pytest.raises(DatasetError, match=r"a\.pack: no such pack"):
        Pack(path)
    write_pack(path, {"00000/target": blob})
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(DatasetError, match="cut off at '00000/target'"):
        Pack(path)["00000/target"]
    path.write_bytes(b"PK\x03\x04 something else")
    with pytest.raises(DatasetError, match="expected a rollout pack"):
        Pack(path)

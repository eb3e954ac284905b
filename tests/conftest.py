"""Shared fixtures: one small dataset without frames, made with the real engine."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from comphy.choices import ExportAs, RendererName
from comphy.sim.bullet import Engine
from data_gen.config import DatasetConfig, PictureSize, RaytraceOptions
from data_gen.export.job import export
from data_gen.jobs.generate import generate
from data_gen.jobs.worker import Job
from tests.support.made_once import made_once
from tests.support.preview_clips import small_preview_clips
from tests.support.quick_start import run_quick_start

# How long an example takes says nothing on a busy machine: no test depends on the clock.
settings.register_profile("clockless", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("clockless")
# Compiling the ray tracer takes longer than drawing a few small pictures: `compiling` is for tests that are about it.
os.environ.setdefault("TORCHDYNAMO_DISABLE", "1")


# Fixtures that take seconds to make: a test that needs one is slow, whatever it does itself.
SLOW_FIXTURES = {"six_rendered", "exports", "quick_started", "dozen", "filmed_dataset"}


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if SLOW_FIXTURES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)


def pytest_make_parametrize_id(config: pytest.Config, val: object, argname: str) -> str | None:
    """Bytes name no test: compressed ones hold the second they were made in, and two workers would disagree."""
    return argname if isinstance(val, bytes) else None


@pytest.fixture(scope="session")
def small_dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four sets, seed 0, no frames. Read only: copy it to change it."""

    def make(root: Path) -> None:
        generate(Job(root, 0, RendererName.NONE, DatasetConfig()), sets=4)

    return made_once(tmp_path_factory, "small_dataset", make)


@pytest.fixture(scope="session")
def six_rendered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six sets, so that every split has one, with tiny videos. Read only."""

    def make(root: Path) -> None:
        config = DatasetConfig(picture=PictureSize(96, 64), raytrace=RaytraceOptions(samples=1, shadows=False))
        generate(Job(root, 0, RendererName.RAYTRACE, config), sets=6)

    return made_once(tmp_path_factory, "six_rendered", make)


@pytest.fixture(scope="session")
def exports(six_rendered: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[ExportAs, Path]:
    """The six sets in other people's layouts. Read only."""

    def make(root: Path) -> None:
        for chosen in ExportAs:
            export(six_rendered, chosen, root / chosen, device="cpu")

    root = made_once(tmp_path_factory, "exports", make)
    return {chosen: root / chosen for chosen in ExportAs}


@pytest.fixture(scope="session")
def quick_started(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the README's quick start was run: its dataset `demo`, whose set 0 was perceived with the shipped weights, and
    what the commands printed. Read only."""
    return made_once(tmp_path_factory, "quick_start", run_quick_start)


@pytest.fixture(scope="session")
def engine():
    with Engine() as opened:
        yield opened


@pytest.fixture
def small_clips() -> Iterator[None]:
    """Previews have clips of a quarter of their width."""
    with small_preview_clips():
        yield


@pytest.fixture
def compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code is compiled, as it is for users."""
    monkeypatch.delenv("TORCHDYNAMO_DISABLE", raising=False)

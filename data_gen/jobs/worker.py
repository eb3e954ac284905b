"""Makes one set. Stateless: the result depends on the job and the set's number, not on who makes it or when."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from comphy.choices import RendererName
from comphy.config import to_plain
from comphy.dataset.manifest import Recipe, SetEntry
from comphy.dataset.writer import write_set
from comphy.files import disk_errors
from comphy.sim.bullet import Engine
from data_gen.config import DatasetConfig
from data_gen.jobs.folder import DatasetFolder
from data_gen.renderers.build import build_renderer
from data_gen.sampling.sampler import SetSampler


@dataclass(frozen=True)
class Job:
    """What to make: a dataset of one recipe in one folder."""

    root: Path
    seed: int
    renderer: RendererName
    config: DatasetConfig

    def folder(self) -> DatasetFolder:
        return DatasetFolder(self.root, Recipe(self.seed, str(self.renderer), to_plain(self.config)))


class SetWorker:
    """Holds what is costly to open, a physics engine and a renderer, and makes sets with it."""

    def __init__(self, job: Job) -> None:
        self._folder = job.folder()
        self._camera = job.config.camera()
        self._engine = Engine()
        self._sampler = SetSampler(job.config.scene, job.seed, self._camera, self._engine)
        self._renderer = build_renderer(job.renderer, job.config, threads=1)

    def make(self, index: int) -> SetEntry | None:
        """None if another process makes the set, or has made it since this job began."""
        with self._folder.claim(index) as claim:
            if not claim.granted or self._folder.made(index) is not None:
                return None
            return self._make(index)

    def _make(self, index: int) -> SetEntry:
        recorded = self._sampler.draw(index)
        frames = None
        if self._renderer is not None:
            clips = recorded.clips()
            frames = dict(zip(clips, self._renderer.render(list(clips.values()), self._camera), strict=True))
        rejections = {str(reason): count for reason, count in sorted(recorded.rejections.items())}
        with disk_errors(self._folder.root):
            work = self._folder.begin_set(index)
            try:
                entry = SetEntry(index, write_set(work, recorded, self._camera, frames), rejections)
                self._folder.finish_set(work, entry)
            finally:
                shutil.rmtree(work, ignore_errors=True)
        return entry

    def close(self) -> None:
        self._engine.close()
        if self._renderer is not None:
            self._renderer.close()

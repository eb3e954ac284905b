"""Processes of pages: they end with a page that goes away in the middle, and come back after an accident."""

import asyncio
import os
import time
from pathlib import Path

import pytest

from comphy.errors import Busy
from comphy.toolkit.explorer.workers import Worker
from tests.support.waiting import HANG_S


def work_for_ever(sign: Path) -> None:
    sign.write_text(str(os.getpid()))
    time.sleep(3600)


async def begun(sign: Path) -> int:
    while not sign.exists() or not sign.read_text():
        await asyncio.sleep(0.01)
    return int(sign.read_text())


async def gone(process: int) -> None:
    while Path(f"/proc/{process}").exists():
        await asyncio.sleep(0.01)


async def give_up(worker: Worker, sign: Path) -> int:
    task = asyncio.create_task(worker.do(work_for_ever, sign))
    process = await begun(sign)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    return process


def test_work_that_nobody_waits_for_is_ended(tmp_path: Path) -> None:
    async def story() -> tuple[int, int]:
        worker = Worker(ended=True)
        process = await give_up(worker, tmp_path / "begun")
        await gone(process)
        another = await worker.do(os.getpid)
        worker.close()
        return process, another

    process, another = asyncio.run(asyncio.wait_for(story(), HANG_S))
    assert process != another


def test_who_waits_is_not_disturbed_by_one_who_gives_up(tmp_path: Path) -> None:
    async def story() -> int:
        worker = Worker(ended=True)
        sign = tmp_path / "begun"
        first = asyncio.create_task(worker.do(work_for_ever, sign))
        await begun(sign)
        second = asyncio.create_task(worker.do(os.getpid))
        await asyncio.sleep(0)
        first.cancel()
        found: int = await second
        worker.close()
        return found

    assert asyncio.run(asyncio.wait_for(story(), HANG_S)) > 0


def test_an_accident_is_told_and_another_process_is_started() -> None:
    async def story() -> int:
        worker = Worker(ended=False)
        with pytest.raises(Busy, match="ended early"):
            await worker.do(os._exit, 3)
        found: int = await worker.do(os.getpid)
        worker.close()
        return found

    assert asyncio.run(asyncio.wait_for(story(), HANG_S)) > 0

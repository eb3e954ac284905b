"""CPU seconds of each test with its child processes, for finding the dearest: `pytest -n 0 -p tests.support.cpu_times`."""

import os
from collections.abc import Iterator

import pytest

SHOWN = 20
spent: list[tuple[float, str]] = []


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    before = sum(os.times()[:4])
    yield
    spent.append((sum(os.times()[:4]) - before, item.nodeid))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    dearest = sorted(spent, reverse=True)
    terminalreporter.write_sep("=", f"{sum(seconds for seconds, _ in spent):.0f} CPU seconds in {len(spent)} tests")
    for seconds, test in dearest[:SHOWN]:
        terminalreporter.write_line(f"{seconds:8.1f} {test}")

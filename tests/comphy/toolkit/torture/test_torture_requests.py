"""A seeded sample of hostile requests, and that torture notices what a server may do wrong."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from comphy.choices import Torture
from comphy.toolkit.explorer.serving.server import Server
from comphy.toolkit.torture.clients import attempt, cut, plain
from comphy.toolkit.torture.requests import SLOW_SHARE, Requests
from comphy.toolkit.torture.run import trial_rng
from comphy.toolkit.torture.trial_result import TrialResult
from tests.support.site import request, serving

QUICK = [
    n for n in range(90) if trial_rng(0, Torture.REQUESTS, n).random() >= SLOW_SHARE
]  # a slow client takes its time


@pytest.mark.bullet
@pytest.mark.slow
def test_a_sample_of_requests_is_survived(tmp_path: Path) -> None:
    with Requests.opened(tmp_path) as kind:
        outcomes = [kind.trial(trial_rng(0, Torture.REQUESTS, number)) for number in QUICK]
    assert [outcome for outcome in outcomes if not outcome.survived] == []
    assert {"refused", "answered", "hung up"} <= {outcome.how for outcome in outcomes}


@contextmanager
def answers(*routes: Route) -> Iterator[list[TrialResult]]:
    """The outcomes of trials with a server of these routes, whose answers nobody guards."""
    site = Starlette(routes=[Route("/api/sources", lambda request: PlainTextResponse("sources")), *routes])
    with Server(site) as server:
        kind = Requests(server)
        yield [kind.trial(trial_rng(0, Torture.REQUESTS, number)) for number in QUICK[:20]]


@pytest.mark.slow
def test_bugs_are_noticed() -> None:
    def broken(request: Request) -> Response:
        raise ZeroDivisionError

    with answers(Route("/{rest:path}", broken)) as outcomes:
        assert {"a bug"} <= {outcome.how for outcome in outcomes}
        assert any(outcome.traceback for outcome in outcomes)


@pytest.mark.slow
def test_a_file_that_nobody_may_read_is_noticed(tmp_path: Path) -> None:
    with answers(Route("/{rest:path}", lambda request: PlainTextResponse("root:x:0:0:root"))) as outcomes:
        assert any(outcome.different for outcome in outcomes)


def test_an_origin_that_is_no_address_is_refused() -> None:
    with serving() as server:
        answer = request(server, "/api/sources", Origin="https://[")
        assert (answer.status, "Origin 'https://['" in answer.json["error"]) == (403, True)


def test_a_body_that_is_nested_deeply_is_refused() -> None:
    with serving() as server:
        answer = request(server, "/phyre/api/tiers", "POST", b"[" * 5000)
        assert (answer.status, "error" in answer.json) == (400, True)


def test_a_number_of_thousands_of_digits_in_a_path_is_refused() -> None:
    with serving() as server:
        answer = request(server, f"/api/sources/{'9' * 5000}/questions")
        assert (answer.status, "at most 1000 letters (got" in answer.json["error"]) == (414, True)


def test_words_that_cannot_be_encoded_are_refused() -> None:
    with serving() as server:
        answer = request(server, "/phyre/api/task", "POST", b'{"task": "\\ud800"}')
        assert (answer.status, "\ud800" in answer.json["error"]) == (400, True)


def test_attempts_depend_on_their_number_alone() -> None:
    for number in range(60):
        first, second = (attempt(trial_rng(1, Torture.REQUESTS, number), 8000) for _ in range(2))
        assert first == second and first.sent
        beginning = cut(trial_rng(1, Torture.REQUESTS, number), first).sent
        assert first.sent.startswith(beginning) and len(beginning) < len(first.sent)
    assert plain(8000).startswith(b"GET /api/sources HTTP/1.1\r\n")

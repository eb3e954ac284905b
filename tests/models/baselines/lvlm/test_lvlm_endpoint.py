"""`comphy train lvlm` with a model behind an address: a real server in a thread answers well, badly, late, or not at all."""

import json
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from comphy.dataset.sources.opening import open_source
from comphy.dataset.submission import read_submission
from comphy.errors import DatasetError
from comphy.questions.model import Question
from models.baselines.lvlm.prompts import answer_text, load_template, question_text
from models.baselines.lvlm.reply_log import REPLIES, ReplyKey, ReplyLog
from models.llm.names import KEY_VARIABLE
from models.llm.replies import Reply
from tests.support.chat_server import ChatServer, chat_server, said
from tests.support.commands import Result, comphy

pytestmark = pytest.mark.bullet
FRAMES = ("frames.source=videos", "frames.width=96", "frames.target=3", "frames.reference=1")


@pytest.fixture
def questions(six_rendered: Path) -> list[Question]:
    return [question for scene in open_source(six_rendered).questions("test") for question in scene.questions]


@pytest.fixture
def server(questions: list[Question], monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """Knows every true answer."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    truth = {question_text(load_template(), question): answer_text(question) for question in questions}
    with chat_server(lambda body: said(truth[asked(body)])) as running:
        yield running


def asked(body: dict[str, Any]) -> str:
    return str(body["messages"][-1]["content"][-1]["text"])


def lvlm(server: ChatServer, data: Path, out: Path, *options: str) -> Result:
    return comphy("train", "lvlm", f"model={server.model}", *FRAMES, *options, "--data", data, "--out", out)


def lines(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / REPLIES).read_text().splitlines()]


def test_every_question_is_asked_once_and_scored(
    server: ChatServer, six_rendered: Path, questions: list[Question], tmp_path: Path
):
    result = lvlm(server, six_rendered, tmp_path, "prices.read=2", "prices.written=1000")
    count = len(questions)
    assert result.returncode == 0, result.stderr
    told = f"{count} replies: {100 * count:,} tokens read, {7 * count} written; {count * 0.0072:.2f} USD."
    assert told in result.stdout.replace("\n", " ")
    assert sorted(map(asked, server.requests)) == sorted(question_text(load_template(), one) for one in questions)
    kinds = [part["type"] for part in server.requests[0]["messages"][-1]["content"]]
    assert kinds == ["text", "image_url"] * 4 + ["text", *["image_url"] * 3, "text"]
    assert server.requests[0]["temperature"] == 0 and "logprobs" not in server.requests[0]
    record = json.loads((tmp_path / "readings.json").read_text())
    for how in ("strict", "loose"):
        one = record["readings"][f"test, {how}"]
        assert one["readable"] == one["asked"] == count
        assert {column["accuracy"] for column in one["columns"].values() if column} == {1.0}
    assert record["replies"] == {
        **{"replies": count, "tokens_read": 100 * count, "tokens_written": 7 * count, "cut_off": 0},
        **{"cost": pytest.approx(count * 0.0072), "currency": "USD"},
    }
    assert len(lines(tmp_path)) == count
    assert read_submission(tmp_path / "submission_test.json") == read_submission(
        tmp_path / "strict/submission_test.json"
    )


def test_running_again_asks_nothing(server: ChatServer, six_rendered: Path, tmp_path: Path):
    first = lvlm(server, six_rendered, tmp_path)
    count = len(server.requests)
    again = lvlm(server, six_rendered, tmp_path)
    assert first.stdout.endswith(again.stdout) and "Nothing to train" in again.stdout and len(server.requests) == count


def test_what_is_read_loosely_alone_counts_as_wrong_strictly(
    server: ChatServer, six_rendered: Path, questions: list[Question], tmp_path: Path
):
    true = server.answer

    def talkative(body: dict[str, Any]) -> tuple[int, str]:
        word = json.loads(true(body)[1])["choices"][0]["message"]["content"]
        return said(word if "A: " in word else f"I think the answer is {word}.")

    server.answer = talkative
    assert lvlm(server, six_rendered, tmp_path).returncode == 0
    readings = json.loads((tmp_path / "readings.json").read_text())["readings"]
    strict, loose = readings["test, strict"], readings["test, loose"]
    factual = sum(not question.choices for question in questions)
    assert loose["readable"] - strict["readable"] == factual > 0
    assert loose["columns"]["factual"]["accuracy"] == 1.0 and strict["columns"]["factual"]["accuracy"] == 0.0


@pytest.mark.parametrize("reply", ["I cannot see any video.", "", None])
def test_replies_that_say_nothing_are_kept_and_count_as_wrong(
    server: ChatServer, six_rendered: Path, tmp_path: Path, reply: str | None
):
    body = {"choices": [{"message": {"content": reply}, "finish_reason": "length"}]}
    server.answer = lambda _: (200, json.dumps(body))
    result = lvlm(server, six_rendered, tmp_path)
    assert result.returncode == 0, result.stderr
    count = len(server.requests)
    assert f"0 of {count}" in result.stdout and f"{count} were cut off at max_tokens" in result.stdout.replace(
        "\n", " "
    )
    assert {line["text"] for line in lines(tmp_path)} == {reply or ""}
    assert read_submission(tmp_path / "submission_test.json") == {}


@pytest.mark.parametrize(
    ("failure", "message"),
    [
        ((500, "out of memory"), r"status 500: 'out of memory'"),
        ((429, "slow down"), r"status 429: 'slow down'"),
        ((200, '{"choices": ['), r"expected JSON"),
        ((200, '{"error": "too long"}'), r"expected a reply of the chat protocol"),
        ((400, "no pictures"), r"status 400: 'no pictures'"),
    ],
)
def test_a_failure_loses_no_reply_and_the_run_goes_on(
    server: ChatServer, six_rendered: Path, tmp_path: Path, failure: tuple[int, str], message: str
):
    true = server.answer
    server.answer = lambda body: true(body) if len(server.requests) <= 2 else failure
    result = lvlm(server, six_rendered, tmp_path, "workers=1", "attempts=1")
    assert result.returncode == 1 and message in result.stderr.replace("\n", " ") and "Traceback" not in result.stderr
    assert len(lines(tmp_path)) == 2 and not (tmp_path / "submission_test.json").exists()
    before = list(map(asked, server.requests[:2]))
    server.answer, server.requests = true, []
    assert lvlm(server, six_rendered, tmp_path, "workers=1", "attempts=1").returncode == 0
    assert not set(before) & set(map(asked, server.requests))
    assert len(lines(tmp_path)) == 2 + len(server.requests)


def test_a_server_that_does_not_answer_in_time(server: ChatServer, six_rendered: Path, tmp_path: Path):
    released = threading.Event()

    def late(body: dict[str, Any]) -> tuple[int, str]:
        released.wait()
        return said("red")

    server.answer = late
    try:
        result = lvlm(server, six_rendered, tmp_path, "workers=1", "attempts=1", "timeout=0.2")
    finally:
        released.set()
    assert result.returncode == 1 and "timed out" in result.stderr
    assert "every reply so far is kept" in result.stderr.replace("\n", " ") and not (tmp_path / REPLIES).exists()


def test_ctrl_c_keeps_what_is_under_way(server: ChatServer, six_rendered: Path, tmp_path: Path):
    true = server.answer

    def interrupting(body: dict[str, Any]) -> tuple[int, str]:
        if len(server.requests) == 2:
            os.kill(os.getpid(), signal.SIGINT)
        return true(body)

    server.answer = interrupting
    result = lvlm(server, six_rendered, tmp_path, "workers=1")
    assert result.returncode == 130 and "Interrupted after" in result.stdout
    done = len(lines(tmp_path))
    assert 2 <= done == len(server.requests)
    server.answer = true
    assert lvlm(server, six_rendered, tmp_path, "workers=1").returncode == 0
    assert len(set(map(asked, server.requests))) == len(server.requests) == len(lines(tmp_path)) > done


def test_examples_are_shown_with_their_answers(server: ChatServer, six_rendered: Path, tmp_path: Path):
    result = lvlm(server, six_rendered, tmp_path, "few_shot.examples=1", "few_shot.frames=false", "sets=1")
    assert result.returncode == 0, result.stderr
    roles = {tuple(message["role"] for message in request["messages"]) for request in server.requests}
    assert ("system", "user", "assistant", "user") in roles


def test_other_prompts_in_the_same_folder_are_refused(server: ChatServer, six_rendered: Path, tmp_path: Path):
    template = tmp_path / "my_prompts.yaml"
    texts = vars(load_template())
    template.write_text("\n".join(f"{name}: {json.dumps(text)}" for name, text in texts.items()))
    assert lvlm(server, six_rendered, tmp_path / "run", f"template={template}").returncode == 0
    changed = texts | {"system": "Answer at random."}
    template.write_text("\n".join(f"{name}: {json.dumps(text)}" for name, text in changed.items()))
    result = lvlm(server, six_rendered, tmp_path / "run", f"template={template}")
    assert result.returncode == 1 and "was to another prompt" in result.stderr.replace("\n", " ")
    assert "different: sets" in lvlm(server, six_rendered, tmp_path / "run", f"template={template}", "sets=1").stderr


def test_a_half_written_line_is_asked_again(tmp_path: Path):
    log = ReplyLog(tmp_path)
    log.add(ReplyKey("test", 3, 0), "p", Reply("red\n\u2028", (), 5, 1))
    log.add(ReplyKey("test", 3, 1), "q", Reply("é", (), 5, 1, True))
    path = tmp_path / REPLIES
    path.write_bytes(path.read_bytes()[:-9])
    again = ReplyLog(tmp_path)
    assert list(again.replies) == [ReplyKey("test", 3, 0)] and again.replies == {
        key: one for key, one in log.replies.items() if key.question_id == 0
    }
    again.add(ReplyKey("test", 3, 1), "q", Reply("é", (), 5, 1, True))
    assert ReplyLog(tmp_path).replies == log.replies


def test_a_damaged_line_is_explained(tmp_path: Path):
    (tmp_path / REPLIES).write_text('{"split": "test"}\n')
    with pytest.raises(DatasetError, match=r"replies.jsonl, line 1: expected a reply of this command"):
        ReplyLog(tmp_path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "model: expected a vision-language model"),
        (("model=hf:nowhere",), "nowhere: expected an image-text or video-text model"),
        (("model=http://127.0.0.1:9/v1#any",), "Start the server"),
        (("model=hf:x", "splits=[tests]"), "did you mean 'test'"),
    ],
)
def test_what_cannot_be_asked_is_explained(
    six_rendered: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], message: str
):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    result = comphy("train", "lvlm", *FRAMES, *options, "--data", six_rendered, "--out", tmp_path)
    assert result.returncode == 1 and message in result.stderr.replace("\n", " "), result.stderr
    assert not list(tmp_path.iterdir())  # another try with other settings may use the folder

"""A language model behind an address: a server in a thread answers well, badly, not at all, or is not there."""

import json
import math
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from comphy.errors import ConfigError, EndpointError, ProgramError
from models.llm.endpoint import Endpoint
from models.llm.names import KEY_VARIABLE
from models.pcr.asking.reading import read_question
from models.pcr.parser.llm.dialogue import Dialogue
from models.pcr.parser.llm.examples import Examples
from models.pcr.parser.llm.parser import LLMParser
from models.pcr.parser.llm.prompt import Prompter, load_template
from models.pcr.parser.llm.settings import LLMSettings, read_settings
from models.pcr.parser.sentences import SentenceKind
from tests.support.chat_server import Answer, ChatServer, chat_server, said

QUESTION, PROGRAM = "How many red cubes are there?", "objects red filter_color cube filter_shape count"
ILL_TYPED = "objects red filter_shape count"
Start = Callable[[Answer], ChatServer]


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Starts a server that answers as it is told."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    running = []

    def begin(answer: Answer) -> ChatServer:
        running.append(chat_server(answer))
        return running[-1].__enter__()

    yield begin
    for server in running:
        server.__exit__(None, None, None)


def parser_of(model: str, waits: list[float] | None = None, **settings: Any) -> LLMParser:
    chosen, template = LLMSettings(model, **settings), load_template()
    endpoint = Endpoint(chosen, (waits if waits is not None else []).append)
    writer = Dialogue(endpoint, template, chosen.tries, chosen.workers)
    return LLMParser(writer, Prompter(template, Examples([]), 0), chosen.least_certainty)


def in_turn(*answers: tuple[int, str]) -> Answer:
    """One answer after the other; the last one for good."""
    left = list(answers)
    return lambda body: left.pop(0) if len(left) > 1 else left[0]


def test_a_good_answer_is_a_reading(start: Start):
    server = start(in_turn(said(PROGRAM)))
    parser = parser_of(server.model)
    parsed = parser.parse_questions([QUESTION, QUESTION], SentenceKind.FACTUAL)
    assert [" ".join(one.tokens) for one in parsed] == [PROGRAM, PROGRAM] and parsed[0].understood
    (request,) = server.requests
    assert server.paths == ["/v1/chat/completions"] and request["model"] == "tiny" and server.keys == [None]
    assert request["messages"][-1] == {"role": "user", "content": f"Sentence (factual): {QUESTION}"}
    assert "filter_counterfact" in request["messages"][0]["content"]
    assert "read 100 tokens and wrote 7" in parser.remarks()[0]


@pytest.mark.parametrize(
    "text",
    [
        f"```\n{PROGRAM}\n```",
        f"<think>\nred cubes, so objects count?\n</think>\n\n{PROGRAM}",
        f"Program: `{PROGRAM}`",
        PROGRAM.replace("objects", "scene"),
    ],
)
def test_what_stands_around_a_program_does_not_matter(start: Start, text: str):
    parser = parser_of(start(in_turn(said(text))).model)
    assert " ".join(parser.parse_question(QUESTION).tokens) == PROGRAM


def test_a_question_may_go_with_choices(start: Start):
    server = start(lambda body: said("start" if "Sentence (choice)" in str(body) else "unseen_events belong_to"))
    query = read_question(parser_of(server.model), "What will happen next?", ["The video starts"])
    assert query.is_open and str(query.options[0].program) == "start"


def test_the_certainty_is_that_of_the_program_alone(start: Start):
    tokens = [("I think:\n", -5.0), ("objects", -0.1), (" red filter_color cube filter_shape", -0.2), (" count", -0.05)]
    text = "".join(token for token, _ in tokens)
    server = start(in_turn(said(text, tokens)))
    assert parser_of(server.model).parse_question(QUESTION).log_probability == pytest.approx(-0.35)
    assert server.requests[0]["logprobs"] is True
    assert not parser_of(server.model, least_certainty=0.9).parse_question(QUESTION).understood
    parser_of(server.model, logprobs=False).parse_question(QUESTION)
    assert "logprobs" not in server.requests[-1]


def test_a_bad_answer_is_sent_back_with_what_is_wrong(start: Start):
    server = start(in_turn(said(ILL_TYPED), said("objects blue filter_color cube filter_shape count"), said(PROGRAM)))
    parsed = parser_of(server.model).parse_question(QUESTION)
    assert " ".join(parsed.tokens) == PROGRAM and parsed.understood and len(server.requests) == 3
    first, second = (request["messages"][-1]["content"] for request in server.requests[1:])
    assert "token 2 'filter_shape': expected (objects, shape) before it (found objects, color)" in first
    assert "must have the colors" in second
    assert server.requests[1]["messages"][-2] == {"role": "assistant", "content": ILL_TYPED}


def test_other_colors_to_the_end_are_refused(start: Start):
    server = start(in_turn(said("objects blue filter_color cube filter_shape count")))
    with pytest.raises(ProgramError, match=r"I did not understand .*: the language model read it with other colors"):
        read_question(parser_of(server.model, tries=2), QUESTION)
    assert len(server.requests) == 2


@pytest.mark.parametrize("nonsense", ["Sorry, I cannot see the video.", "", ILL_TYPED])
def test_nonsense_to_the_end_is_explained(start: Start, nonsense: str):
    server = start(in_turn(said(nonsense)))
    parser = parser_of(server.model, tries=3)
    with pytest.raises(ProgramError, match=r"the language model gave no program in 3 tries; its last answer was"):
        read_question(parser, QUESTION)
    assert len(server.requests) == 3


def test_a_few_unread_sentences_count_as_misread_but_nothing_else_is_given_up(start: Start):
    def answer(body: dict[str, Any]) -> tuple[int, str]:
        asked = body["messages"][1]["content"]
        return said("no idea" if "green" in asked else PROGRAM)

    parser = parser_of(start(answer).model, tries=2)
    texts = [f"How many {color} cubes are there?" for color in ("green", "red")]
    unread, read = parser.parse_questions(texts, SentenceKind.FACTUAL)
    assert unread.log_probability == -math.inf and not unread.understood and "no program" in unread.failure
    assert " ".join(read.tokens) == PROGRAM and read.understood
    many = [f"How many green cubes are there at {number}?" for number in range(9)]
    assert not any(one.understood for one in parser.parse_questions(many, SentenceKind.FACTUAL))


def test_an_endpoint_that_only_talks_nonsense_is_given_up(start: Start):
    server = start(in_turn(said("no idea")))
    texts = [f"How many objects are there at {number}?" for number in range(60)]
    with pytest.raises(EndpointError, match=r"expected programs \(found none for the first 5 sentences.*larger model"):
        parser_of(server.model, tries=1, workers=1).parse_questions(texts, SentenceKind.FACTUAL)
    assert len(server.requests) < 60


def test_a_busy_server_is_asked_again_after_twice_as_long(start: Start):
    waits: list[float] = []
    server = start(in_turn((500, "oops"), (429, "slow down"), (503, ""), said(PROGRAM)))
    assert parser_of(server.model, waits).parse_question(QUESTION).understood
    assert waits == [1.0, 2.0, 4.0]


def test_a_server_can_say_how_long_to_wait(start: Start):
    waits: list[float] = []
    server = start(in_turn((429, "later"), said(PROGRAM)))
    server.headers["Retry-After"] = "7"
    parser_of(server.model, waits).parse_question(QUESTION)
    server.headers["Retry-After"] = "999999"
    server.answer = in_turn((429, "later"), said(PROGRAM))
    parser_of(server.model, waits).parse_question(QUESTION)
    assert waits == [7.0, 60.0]


def test_a_server_that_always_fails_is_given_up(start: Start):
    waits: list[float] = []
    server = start(in_turn((500, "out of memory")))
    with pytest.raises(EndpointError, match=r"found: status 500: 'out of memory'\). Start the server"):
        parser_of(server.model, waits, attempts=3).parse_question(QUESTION)
    assert len(server.requests) == 3 and waits == [1.0, 2.0]


def test_a_server_that_is_down():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    waits: list[float] = []
    with pytest.raises(EndpointError, match=r"/v1/chat/completions: expected a reply .*refused.*Start the server"):
        parser_of(f"http://127.0.0.1:{port}/v1#tiny", waits).parse_question(QUESTION)
    assert waits == []


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (
            (401, "who are you"),
            rf"status 401: 'who are you'\). The key is read from .* {KEY_VARIABLE}, which is not set",
        ),
        ((404, "no such model"), r"status 404.*mostly ends in /v1, and the model's name, 'tiny'"),
        ((400, "logprobs?"), r"status 400.*`logprobs: false`"),
        ((307, ""), r"status 307.*Redirects are not followed"),
        ((200, "<html>Welcome</html>"), r"expected JSON \(found '<html>Welcome</html>'\).*mostly in /v1"),
        ((200, "[1]"), r"expected a reply of the chat protocol, with choices\[0\].message.content \(found '\[1\]'"),
        ((200, json.dumps({"choices": []})), r"expected a reply of the chat protocol"),
        ((200, json.dumps({"error": "too long"})), r"found .*too long"),
    ],
)
def test_what_is_no_reply_is_explained_at_once(start: Start, answer: tuple[int, str], message: str):
    server = start(in_turn(answer))
    server.headers["Location"] = "http://127.0.0.1:1/elsewhere"
    with pytest.raises(EndpointError, match=message):
        parser_of(server.model).parse_question(QUESTION)
    assert len(server.requests) == 1


def test_the_key_comes_from_the_environment_and_is_never_shown(start: Start, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(KEY_VARIABLE, "secret-key")
    server = start(in_turn((403, "not you")))
    with pytest.raises(EndpointError, match="which is set, but not accepted") as caught:
        parser_of(server.model).parse_question(QUESTION)
    assert server.keys == ["Bearer secret-key"] and "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("http://localhost:8000/v1", r"as http://host/v1#MODEL"),
        ("http:///v1#m", r"as http://host/v1#MODEL"),
        ("https://me:secret@host/v1#m", r"the key belongs into"),
        ("hf:", r"expected hf:FOLDER or http"),
    ],
)
def test_names_that_name_no_model_are_refused(name: str, message: str):
    with pytest.raises(ConfigError, match=message) as caught:
        read_settings(name)
    assert "secret" not in str(caught.value)

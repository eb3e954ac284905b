"""A server in a thread that speaks the chat protocol and answers from a script."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[dict[str, Any]], tuple[int, str]]


def said(text: str, logprobs: list[tuple[str, float]] | None = None) -> tuple[int, str]:
    """A reply of the protocol."""
    scores = {"content": [{"token": token, "logprob": score} for token, score in logprobs]} if logprobs else None
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": text},
        "logprobs": scores,
        "finish_reason": "stop",
    }
    usage = {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107}
    return 200, json.dumps({"object": "chat.completion", "choices": [choice], "usage": usage})


@dataclass
class ChatServer:
    """`requests` are the bodies so far, `keys` what was sent as Authorization, `paths` where to."""

    answer: Answer
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)  # of every reply

    @property
    def model(self) -> str:
        return f"{self.url}/v1#tiny"


@contextmanager
def chat_server(answer: Answer) -> Iterator[ChatServer]:
    server = ChatServer(answer)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.requests.append(body)
            server.keys.append(self.headers.get("Authorization"))
            server.paths.append(self.path)
            status, text = server.answer(body)
            self.send_response(status)
            for name, value in server.headers.items():
                self.send_header(name, value)
            with suppress(ConnectionError):  # of a client that waits no longer
                self.end_headers()
                self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            pass

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.url = f"http://127.0.0.1:{listening.server_port}"
    thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        listening.shutdown()
        thread.join()
        listening.server_close()

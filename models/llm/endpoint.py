"""Speaks the chat protocol of OpenAI-compatible servers: one request, and what to do when it fails."""

import json
import os
import threading
import time
from collections.abc import Callable, Sequence
from http.client import HTTPException
from typing import Any, Final, Protocol
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from comphy.errors import EndpointError
from models.llm.messages import Message
from models.llm.names import address
from models.llm.replies import Reply, read_reply, shown

_BUSY: Final = 429
_DENIED: Final = (401, 403)
_NOT_FOUND: Final = 404
_FIRST_WAIT: Final = 1.0  # seconds; doubled after each attempt
_LONGEST_WAIT: Final = 60.0


class _NoRedirects(HTTPRedirectHandler):
    """A redirect would send the key to where nobody asked for."""

    def redirect_request(self, *_: Any) -> None:
        return None


class _Again(Exception):
    """A failure that may pass. `wait`: how many seconds the server asks to wait for."""

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


class EndpointSettings(Protocol):
    """What can be set about an endpoint."""

    @property
    def model(self) -> str:
        """http://host/v1#MODEL"""
        ...

    @property
    def attempts(self) -> int:
        """Requests for one reply, where the server is busy or fails."""
        ...

    @property
    def timeout(self) -> float:
        """Seconds for one request."""
        ...

    @property
    def max_tokens(self) -> int:
        """Of one reply."""
        ...

    @property
    def logprobs(self) -> bool:
        """Whether to ask for log-probabilities."""
        ...

    @property
    def key_variable(self) -> str:
        """The environment variable that holds the key, if one is needed."""
        ...


class Endpoint:
    """One model of a server. `sleep` waits between attempts; `kept` says in messages what a failure leaves behind."""

    def __init__(
        self,
        settings: EndpointSettings,
        sleep: Callable[[float], None] = time.sleep,
        kept: str = "nothing was written",
    ) -> None:
        where = address(settings.model)
        self.url, self.model = f"{where.base}/chat/completions", where.model
        self._settings, self._sleep, self._kept = settings, sleep, kept
        self._opener = build_opener(_NoRedirects())
        self._lock = threading.Lock()
        self.answered = self.tokens_read = self.tokens_written = 0

    def ask(self, messages: Sequence[Message]) -> Reply:
        """The model's reply. A server that is busy or fails is asked again after a while, each time after twice as long.

        Raises:
            EndpointError: if the server is down, refuses, or gives what the protocol does not have."""
        wait = _FIRST_WAIT
        for left in range(self._settings.attempts - 1, -1, -1):
            try:
                reply = self._request(messages)
            except _Again as failure:
                if left == 0:
                    raise EndpointError(self._told(failure)) from None
                self._sleep(min(wait if failure.wait is None else failure.wait, _LONGEST_WAIT))
                wait *= 2
            else:
                with self._lock:
                    self.answered += 1
                    self.tokens_read += reply.tokens_read
                    self.tokens_written += reply.tokens_written
                return reply
        raise AssertionError("the last attempt returns or raises")

    def _request(self, messages: Sequence[Message]) -> Reply:
        try:
            with self._opener.open(self._posted(messages), timeout=self._settings.timeout) as response:
                text = response.read().decode(errors="replace")
        except HTTPError as error:
            raise self._refused(error) from None
        except (URLError, HTTPException, OSError) as error:
            reason = getattr(error, "reason", error)
            if self.answered == 0 and not isinstance(reason, TimeoutError):
                raise EndpointError(self._told(reason)) from None
            raise _Again(str(reason) or type(reason).__name__) from None
        try:
            record = json.loads(text)
        except json.JSONDecodeError:
            raise EndpointError(
                f"{self.url}: expected JSON (found {shown(text)}). Is this the address of an OpenAI-compatible server? It "
                "ends where /chat/completions begins, mostly in /v1."
            ) from None
        return read_reply(record, self.url)

    def _posted(self, messages: Sequence[Message]) -> Request:
        settings = self._settings
        body = {
            "model": self.model,
            "messages": [message.record() for message in messages],
            "temperature": 0,
            "max_tokens": settings.max_tokens,
        }
        if settings.logprobs:
            body["logprobs"] = True
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if key := os.environ.get(settings.key_variable):
            headers["Authorization"] = f"Bearer {key}"
        return Request(self.url, json.dumps(body).encode(), headers, method="POST")

    def _refused(self, error: HTTPError) -> Exception:
        """What an HTTP status means: try again, or what the user can do."""
        try:
            said = shown(error.read().decode(errors="replace"))
        except (HTTPException, OSError):
            said = "nothing more"
        if error.code == _BUSY or error.code >= 500:
            return _Again(f"status {error.code}: {said}", _seconds(error.headers.get("Retry-After")))
        variable = self._settings.key_variable
        advice = "See what the server says."
        if error.code in _DENIED:
            state = "which is set, but not accepted" if os.environ.get(variable) else "which is not set"
            advice = f"The key is read from the environment variable {variable}, {state}."
        elif error.code == _NOT_FOUND:
            advice = f"Check the address, which mostly ends in /v1, and the model's name, '{self.model}'."
        elif 300 <= error.code < 400:
            advice = f"Redirects are not followed; name the address itself ({error.headers.get('Location')})."
        elif error.code == 400 and self._settings.logprobs:
            advice = (
                "A server that does not know log-probabilities is asked without by `logprobs: false` in the settings."
            )
        return EndpointError(f"{self.url}: expected a reply (found status {error.code}: {said}). {advice}")

    def _told(self, failure: object) -> str:
        return (
            f"{self.url}: expected a reply of a language model (found: {failure}). Start the server or mend the address, "
            f"and run the same command again; {self._kept}."
        )


def _seconds(text: str | None) -> float | None:
    """Of a Retry-After header that counts seconds; one with a date counts as none."""
    return float(text) if text is not None and text.strip().isdecimal() else None

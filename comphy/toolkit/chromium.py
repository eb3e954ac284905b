"""A real Chromium without a window, driven over a pair of pipes: the mouse, the keys, and what the page shows. For tests,
measurements and pictures."""

import base64
import itertools
import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE = 300.0  # seconds in which a condition has to come true, on a machine that others use, too
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-pipe")


class Page:
    """One tab. The protocol is Chromium's own: JSON messages that end with a zero byte."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._out, self._in = to_browser, from_browser
        self._buffer = b""
        self._numbers = itertools.count(1)
        self._session: dict[str, str] = {}
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = {"sessionId": self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        self.send("Runtime.enable")
        self.errors: list[str] = []

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": params, **self._session}
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            reply = self._receive()
            if reply.get("method") == "Runtime.exceptionThrown":
                self.errors.append(json.dumps(reply["params"]["exceptionDetails"]))
            if reply.get("id") == number:
                assert "error" not in reply, reply
                return dict(reply["result"])

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            part = os.read(self._in, 1 << 20)
            assert part, "the browser ended"
            self._buffer += part
        message, _, self._buffer = self._buffer.partition(b"\0")
        return dict(json.loads(message))

    def open(self, address: str, width: int = 1280, height: int = 800) -> None:
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.send("Page.navigate", url=address)

    def value(self, expression: str) -> Any:
        return self.send("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def seconds_until(self, expression: str) -> float:
        """When it came true, in seconds since the page was asked for."""
        look = f"const look = () => (({expression}) ? done(performance.now()) : setTimeout(look, 5)); look();"
        told = self.send(
            "Runtime.evaluate",
            expression=f"new Promise((done) => {{ {look} }})",
            awaitPromise=True,
            returnByValue=True,
        )
        return float(told["result"]["value"]) / 1000

    def wait(self, expression: str) -> None:
        end = time.monotonic() + PATIENCE
        while not self.value(expression):
            assert time.monotonic() < end, f"never true: {expression}; page: {self.value('document.body.innerText')}"
            time.sleep(0.05)

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, *places: tuple[float, float]) -> None:
        """Press at the first place and let go at the last; one place is a click."""
        self.mouse("mousePressed", *places[0], button="left", clickCount=1)
        for place in places[1:]:
            self.mouse("mouseMoved", *place, button="left", buttons=1)
        self.mouse("mouseReleased", *places[-1], button="left", clickCount=1)

    def key(self, key: str, text: str = "") -> None:
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, text=text)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key)

    def screenshot(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot")["data"]))


@contextmanager
def chromium(profile: Path) -> Iterator[Page]:
    """The browser reads messages from its descriptor 3 and writes them to 4."""
    (browser_in, to_browser), (from_browser, browser_out) = os.pipe(), os.pipe()
    command = ["bash", "-c", f'exec chromium "$@" 3<&{browser_in} 4>&{browser_out}', "-", *FLAGS]
    browser = subprocess.Popen(
        [*command, f"--user-data-dir={profile}"], pass_fds=(browser_in, browser_out), stderr=subprocess.DEVNULL
    )
    os.close(browser_in)
    os.close(browser_out)
    try:
        yield Page(to_browser, from_browser)
    finally:
        browser.terminate()
        browser.wait()
        os.close(to_browser)
        os.close(from_browser)

"""The page in a real browser: a click on a piece of evidence shows its frame in the clip."""

import re
import subprocess
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

pytestmark = [pytest.mark.bullet, pytest.mark.browser]

# Video takes its time, so the page itself tells when the clip has arrived: by asking for a picture with that name.
_CLICK = """<script>
const clip = document.querySelector("#clip-3");
clip.addEventListener("seeked", () => { new Image().src = `ADDRESS/${clip.currentTime.toFixed(2)}/${clip.paused}`; });
document.querySelector(".chip").click();
</script>"""


class Listener(HTTPServer):
    """Keeps the path of the one request that it waits for."""

    heard = ""
    timeout = 60

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Listener

    def do_GET(self) -> None:
        self.server.heard = self.path
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def test_click_on_evidence_seeks_the_clip(page: Path, tmp_path: Path):
    probe = page.with_name("probe.html")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}"]
    with Listener(("127.0.0.1", 0), Handler) as listener:
        probe.write_text(page.read_text().replace("</body>", _CLICK.replace("ADDRESS", listener.address) + "</body>"))
        with subprocess.Popen(["chromium", *flags, probe.as_uri()], stderr=subprocess.DEVNULL) as browser:
            try:
                listener.handle_request()
            finally:
                browser.terminate()
                probe.unlink()
    first = re.search(r'data-seconds="([\d.]+)"', page.read_text())
    assert first and listener.heard == f"/{first.group(1)}/true", "at its place, and standing still"

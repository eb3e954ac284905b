"""What tab offers."""

import pytest

from comphy.toolkit.conversation.completion import candidates

COMMANDS = (":help", ":props", ":quit")
NAMES = ("red metal cube", "red rubber sphere", "cyan metal cube")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", [":help", ":props", ":quit"]),
        (":p", [":props"]),
        (":clip re", []),
        ("is the r", ["red metal cube", "red rubber sphere"]),
        ("is the red m", ["metal cube"]),
        ("Is the red metal c", ["cube"]),
        ("Is the ", ["red metal cube", "red rubber sphere", "cyan metal cube"]),
        ("how many cy", ["cyan metal cube"]),
        ("If The re", ["red metal cube", "red rubber sphere"]),
        ("how many ", []),
        ("what about the red metal cube", []),
    ],
)
def test_a_line_goes_on(line: str, expected: list[str]):
    assert candidates(line, COMMANDS, NAMES) == expected

"""Reads the lines of a conversation: from a terminal, with line editing, history and tab completion, or from a pipe."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from rich.console import Console

from comphy.choices import CameraChoice
from comphy.command import console
from comphy.resources import user_cache
from comphy.toolkit.asking import SetPlace, TrainedReasoner
from comphy.toolkit.conversation.conversation import Conversation

PROMPT: Final = "ask> "
HISTORY: Final = "ask_history"
_MOST_LINES: Final = 1000  # of the history


def converse(
    trained: TrainedReasoner, place: SetPlace, cache: Path | None = None, camera: CameraChoice = CameraChoice.AUTO
) -> int:
    """Talk about a set, at a prompt or with what comes through a pipe.

    Returns:
        The exit code: 1 if a line that came through a pipe could not be answered."""
    if not sys.stdin.isatty():
        with _nothing_but_answers() as out:
            conversation = Conversation(trained, place, out, cache, camera)
            trained.prepare()
            from_pipe(conversation, sys.stdin)
        return int(conversation.failed)
    conversation = Conversation(trained, place, console, cache, camera)
    trained.prepare()
    conversation.introduce()
    console.print("Ask in English. Tab completes names of objects, :help lists commands, Ctrl-D ends.", style="dim")
    at_prompt(conversation)
    return 0


@contextmanager
def _nothing_but_answers() -> Iterator[Console]:
    """A console for answers, while that of the command, which tells of long work, keeps quiet."""
    quiet, console.quiet = console.quiet, True
    try:
        yield Console(soft_wrap=True)
    finally:
        console.quiet = quiet


def at_prompt(conversation: Conversation, read: Callable[[str], str] = input) -> None:
    """Answer lines until Ctrl-D or `:quit`. Ctrl-C drops the line, or the answer that is being worked out."""
    with _line_editing(conversation.complete, user_cache() / HISTORY):
        while not conversation.ended:
            try:
                conversation.say(read(PROMPT))
            except KeyboardInterrupt:
                console.print()
            except EOFError:
                console.print()
                return


def from_pipe(conversation: Conversation, lines: Iterable[str]) -> None:
    """Answer one question for each line."""
    for line in lines:
        if conversation.ended:
            return
        conversation.say(line)


@contextmanager
def _line_editing(complete: Callable[[str], list[str]], history: Path) -> Iterator[None]:
    """GNU readline with completion, and the history of earlier conversations. Where Python was built without it, lines are
    read as the terminal gives them."""
    try:
        import readline
    except ImportError:
        yield
        return

    def completer(text: str, state: int) -> str | None:
        found = complete(readline.get_line_buffer()[: readline.get_endidx()])
        return found[state] if state < len(found) else None

    before = readline.get_completer(), readline.get_completer_delims()
    readline.set_completer(completer)
    readline.set_completer_delims(" ")
    readline.parse_and_bind("tab: complete")
    with suppress(OSError):  # there is none yet
        readline.read_history_file(history)
    readline.set_history_length(_MOST_LINES)
    try:
        yield
    finally:
        readline.set_completer(before[0])
        readline.set_completer_delims(before[1])
        with suppress(OSError):  # a folder that cannot be written to costs the history, not the conversation
            history.parent.mkdir(parents=True, exist_ok=True)
            readline.write_history_file(history)

"""A conversation about a set: every line is a question, a number that chooses a reading, or a command."""

from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.text import Text

from comphy.choices import CameraChoice
from comphy.errors import ComphyError, ConfigError, did_you_mean
from comphy.toolkit.asking import CLIPS, SeenSet, SetPlace, TrainedReasoner, clip_name
from comphy.toolkit.conversation.completion import COMMAND, candidates
from models.pcr.asking.reading import NotUnderstoodError
from models.pcr.asking.reply import Reply
from models.pcr.asking.terminal import print_answer, print_properties, print_trace
from models.pcr.asking.words import listed


class Conversation:
    """`say` answers one line. What was seen of the set and the last reply are kept. `failed` tells whether any line could
    not be answered, `ended` whether `:quit` was said."""

    def __init__(
        self,
        trained: TrainedReasoner,
        place: SetPlace,
        console: Console,
        cache: Path | None = None,
        camera: CameraChoice = CameraChoice.AUTO,
    ) -> None:
        self.failed, self.ended = False, False
        self._trained, self._console, self._cache, self._camera = trained, console, cache, camera
        self._seen = trained.see(place, cache, camera)
        self._last: Reply | None = None
        self._readings: tuple[str, ...] = ()
        self._commands: dict[str, tuple[Callable[[str], None], str, str]] = {
            ":help": (self._help, "", "what can be said here"),
            ":props": (self._properties, "", "the objects: looks, mass and charge, and how certain each is"),
            ":trace": (self._trace, "", "how the last answer came about, step by step"),
            ":clip": (self._clip, "[FILE]", "film what was imagined for the last question (.mp4 or .gif)"),
            ":set": (self._go_to_set, "NUMBER", "talk about another set of the dataset"),
            ":open": (self._open, "SET", "talk about a set of another dataset, DATASET:NUMBER or a folder of videos"),
            ":quit": (self._quit, "", "end; so does Ctrl-D"),
        }

    @property
    def seen(self) -> SeenSet:
        return self._seen

    def introduce(self) -> None:
        """Say what is to be seen and what was taken for granted."""
        place, names = self._seen.place, self._seen.interpreted.names
        self._print(f"Set {place.index} of {place.data} shows {listed([f'a {name}' for name in names])}.")
        for told in self._seen.assumptions:
            self._print(f"Assumed: {told}.")

    def complete(self, line: str) -> list[str]:
        """What may stand for the last word of a line."""
        return candidates(line, tuple(self._commands), self._seen.interpreted.names)

    def say(self, line: str) -> None:
        """Answer a line. What cannot be answered is explained, and the conversation goes on."""
        line = line.strip()
        if not line:
            return
        try:
            if line.startswith(COMMAND):
                self._obey(line)
            else:
                self._ask(self._chosen(line))
        except NotUnderstoodError as error:
            self.failed = True
            self._offer(error)
        except ComphyError as error:
            self.failed = True
            self._print(_capitalised(str(error)), "yellow")

    def _ask(self, question: str) -> None:
        query = self._trained.read(question)
        self._readings = ()
        self._last = self._seen.ask(query)
        print_answer(self._console, self._last)

    def _chosen(self, line: str) -> str:
        """The reading that a number stands for, or the line itself."""
        number = line.rstrip(".")
        if not number.isdecimal():
            return line
        if not 1 <= int(number) <= len(self._readings):
            offered = f"1 to {len(self._readings)}" if self._readings else "none, since no readings are on offer"
            raise ConfigError(f"expected a question, or the number of a reading (got {number}; there are {offered}).")
        question = self._readings[int(number) - 1]
        self._print(question, "dim")
        return question

    def _offer(self, error: NotUnderstoodError) -> None:
        self._readings = error.refusal.readings
        self._print(error.refusal.complaint, "yellow")
        for number, reading in enumerate(self._readings, start=1):
            self._print(f"  {number}  {reading}")

    def _obey(self, line: str) -> None:
        name, _, argument = line.partition(" ")
        if name not in self._commands:
            raise ConfigError(f"there is no command '{name}'; {did_you_mean(name, self._commands)}")
        self._commands[name][0](argument.strip())

    def _help(self, _: str) -> None:
        self._print("A line is a question in English, or one of these commands:")
        for name, (_does, takes, about) in self._commands.items():
            self._print(f"  {f'{name} {takes}':<15} {about}")
        self._print("Tab completes commands and the names of objects. Ctrl-C drops the line.")

    def _properties(self, _: str) -> None:
        print_properties(self._console, self._seen.interpreted)

    def _trace(self, _: str) -> None:
        print_trace(self._console, self._answered())

    def _clip(self, argument: str) -> None:
        reply = self._answered()
        if not reply.can_be_drawn:
            raise ConfigError(
                "nothing was imagined for the last question. Ask what will happen, or what would happen if something were "
                "different."
            )
        path = Path(argument) if argument else CLIPS / clip_name(self._seen.place, reply.query)
        self._seen.draw(reply, path)
        self._print(f"Clip  {path}")

    def _go_to_set(self, argument: str) -> None:
        if not argument.isdecimal():
            raise ConfigError(f"expected the number of a set, such as :set 2 (got '{argument}').")
        self._see(SetPlace(self._seen.place.data, int(argument)), self._cache)

    def _open(self, argument: str) -> None:
        self._see(SetPlace.parse(argument), None)

    def _see(self, place: SetPlace, cache: Path | None) -> None:
        self._seen, self._cache = self._trained.see(place, cache, self._camera), cache
        self._last, self._readings = None, ()
        self.introduce()

    def _quit(self, _: str) -> None:
        self.ended = True

    def _answered(self) -> Reply:
        if self._last is None:
            raise ConfigError("no question was answered yet. Ask one first.")
        return self._last

    def _print(self, words: str, style: str = "") -> None:
        self._console.print(Text(words, style), soft_wrap=not self._console.is_terminal)


def _capitalised(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}"

"""What a line may go on with: commands, and the objects of the set by name."""

from collections.abc import Sequence

COMMAND = ":"


def candidates(line: str, commands: Sequence[str], names: Sequence[str]) -> list[str]:
    """Ends of a line that replace its last word, which may be empty.

    Args:
        line: what was typed so far.
        commands: such as `:help`; they stand at the beginning of a line.
        names: of objects, such as `red metal cube`. A name that was begun goes on as far back as its words were typed: after
            `is the red metal c` the end is `cube`.
    """
    if line.startswith(COMMAND) or not line:
        return [command for command in commands if command.startswith(line)] if " " not in line else []
    words = line.split(" ")
    phrases = [phrase for name in names for phrase in (f"the {name}", name)]
    for start in range(len(words)):  # the longest beginning first
        begun = " ".join(words[start:])
        done = len(begun) - len(words[-1])
        ends = [phrase[done:] for phrase in phrases if phrase.startswith(begun.lower()) and phrase != begun]
        if ends and begun:
            return list(dict.fromkeys(ends))
    return []

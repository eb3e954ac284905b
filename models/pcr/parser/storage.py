"""A parser on disk: its weights, and a description with its size, what it reads and its output tokens."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from comphy.config import build, to_plain
from comphy.damage import reading
from comphy.errors import DatasetError
from comphy.files import read_json, write_bytes, write_json
from models.pcr.parser.automaton import PROGRAM_TOKENS
from models.pcr.parser.network import ParserSize, ProgramTransformer
from models.pcr.parser.words.reading import SubwordVocabulary
from models.train.checkpoint import load_described, save_tensors

DESCRIPTION: Final = "parser.json"
WEIGHTS: Final = "parser.safetensors"
PARSER: Final = "parser"  # subfolder of a run that holds its parser
# Header fields of the weights: the fingerprint of their description, and the threshold from which a parse is accepted.
_VOCABULARY: Final = "vocabulary"
_THRESHOLD: Final = "threshold"


@dataclass(frozen=True)
class Description:
    """What rebuilds a parser apart from its weights: its size, the words and n-grams that it reads, and its output tokens.

    Raises `ValueError` if the output tokens are not those of the current operators.
    """

    size: ParserSize
    words: list[str]
    grams: list[str]
    tokens: list[str]

    def __post_init__(self) -> None:
        self.vocabulary()
        if tuple(self.tokens) != PROGRAM_TOKENS:
            changed = sorted(set(self.tokens) ^ set(PROGRAM_TOKENS)) or ["their order"]
            raise ValueError(
                "the parser was trained for another set of operators than comphy/programs has now; "
                f"different: {', '.join(changed)}. Train it anew"
            )

    @classmethod
    def of(cls, size: ParserSize, vocabulary: SubwordVocabulary) -> "Description":
        return cls(size, list(vocabulary.words), list(vocabulary.grams), list(PROGRAM_TOKENS))

    def vocabulary(self) -> SubwordVocabulary:
        return SubwordVocabulary(tuple(self.words), tuple(self.grams))

    def module(self) -> ProgramTransformer:
        return ProgramTransformer(self.size, len(self.words) + len(self.grams))

    def fingerprint(self) -> str:
        """A hash of words, n-grams and tokens in their order, which is that of the embedding rows."""
        return hashlib.sha256(json.dumps([self.words, self.grams, self.tokens]).encode()).hexdigest()


def is_parser(path: Path) -> bool:
    return (path / DESCRIPTION).is_file()


def parser_folder(run: Path) -> Path | None:
    """The folder of a run's parser: the run itself or its subfolder `parser`; None if neither holds one."""
    return next((folder for folder in (run, run / PARSER) if is_parser(folder)), None)


def copy_parser(run: Path, folder: Path) -> None:
    """Copy the parser of a run, once it has been loaded without complaint."""
    found = parser_folder(run)
    if found is None:
        raise DatasetError(f"{run}: expected a parser, or a run with one (found no {DESCRIPTION}).")
    load_saved(found)
    for name in (DESCRIPTION, WEIGHTS):
        write_bytes(folder / name, (found / name).read_bytes())


def save_description(folder: Path, description: Description) -> None:
    write_json(folder / DESCRIPTION, to_plain(description), indent=1)


def save_weights(folder: Path, description: Description, module: ProgramTransformer, threshold: float) -> None:
    facts = {_VOCABULARY: description.fingerprint(), _THRESHOLD: threshold}
    save_tensors(folder / WEIGHTS, module.state_dict(), facts)


def load_saved(folder: Path) -> tuple[Description, ProgramTransformer, float]:
    """Load a parser's description, network and threshold.

    Raises `DatasetError` if the weights belong to another description, or to a parser from before word pieces.
    """
    record = read_json(folder / DESCRIPTION, "train the parser again with comphy train")
    if isinstance(record, dict) and "words" in record and "grams" not in record:
        raise DatasetError(
            f"{folder / DESCRIPTION}: the parser reads whole words, as parsers did before word pieces. Train it anew with "
            "comphy train, or use the parser that comes along."
        )
    description = build(Description, record, str(folder / DESCRIPTION))
    module = description.module()
    facts = load_described(module, folder / WEIGHTS, {_VOCABULARY: description.fingerprint()}, DESCRIPTION)
    with reading(folder / WEIGHTS):
        return description, module, float(facts[_THRESHOLD])

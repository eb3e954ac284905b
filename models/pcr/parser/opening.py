"""Chooses the parser that reads a run's questions: its own, one of another run, or a language model."""

from pathlib import Path

import torch

from comphy.errors import ConfigError
from models.pcr.parser.interface import QuestionParser
from models.pcr.parser.llm.settings import NAMES, is_llm
from models.pcr.parser.parser import load_parser
from models.pcr.parser.storage import DESCRIPTION, PARSER, parser_folder


def open_parser(run: Path, named: str | Path | None = None, device: torch.device | str = "cpu") -> QuestionParser:
    """The named parser, or the one in the run's folder or below it.

    Args:
        run: folder or file of a run.
        named: folder of a run with a trained parser, or a language model: hf:FOLDER, http://host/v1#MODEL, a YAML file.
        device: where a model runs.

    Raises:
        ConfigError: if there is no such parser."""
    if named is not None and is_llm(named):
        from models.pcr.parser.llm.opening import open_llm  # and transformers with it, which takes seconds

        return open_llm(named, device)
    home = run if run.is_dir() else run.parent
    folder = parser_folder(home if named is None else Path(named))
    if folder is None:
        raise ConfigError(
            f"{named or home / PARSER}: expected a trained parser (found no {DESCRIPTION}), to read the question with. "
            "Train one with comphy train, name its run by --parser RUN, name a language model by --parser "
            f"({NAMES}), or give the program itself by --program."
        )
    return load_parser(folder, device)


def own_parser(run: Path, device: torch.device | str = "cpu") -> QuestionParser | None:
    """The parser in a run's folder or below it, if there is one."""
    folder = parser_folder(run)
    return load_parser(folder, device) if folder is not None else None

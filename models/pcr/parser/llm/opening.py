"""Makes a parser of a named language model."""

from pathlib import Path

import torch

from models.llm.endpoint import Endpoint
from models.pcr.parser.llm.dialogue import Dialogue
from models.pcr.parser.llm.examples import Examples, grammar_examples
from models.pcr.parser.llm.parser import LLMParser
from models.pcr.parser.llm.prompt import Prompter, load_template
from models.pcr.parser.llm.settings import LLMSettings, read_settings
from models.pcr.parser.llm.writing import ProgramWriter


def open_llm(name: str | Path, device: torch.device | str = "cpu") -> LLMParser:
    """The parser of a language model by its name, or by a file of settings."""
    return build_llm(read_settings(name), device)


def build_llm(settings: LLMSettings, device: torch.device | str = "cpu") -> LLMParser:
    template = load_template(Path(settings.template) if settings.template is not None else None)
    writer: ProgramWriter
    if settings.remote:
        writer = Dialogue(Endpoint(settings), template, settings.tries, settings.workers)
    else:
        from models.pcr.parser.llm.local_model import load_local_model  # and transformers, which an endpoint needs not

        writer = load_local_model(settings.local, device, settings.batch)
    examples = grammar_examples() if settings.examples else Examples(())
    return LLMParser(writer, Prompter(template, examples, settings.examples), settings.least_certainty)

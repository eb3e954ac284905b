"""How a language model is named, and what can be set about it.

A name is `hf:FOLDER` (or a name in the local cache of Hugging Face), `http://host/v1#MODEL`, or a YAML file with these
settings.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from comphy.config import load_config
from comphy.errors import ConfigError
from models.llm.names import KEY_VARIABLE, LOCAL, check_name, is_named, is_remote

NAMES: Final = "hf:FOLDER, http://host/v1#MODEL, or a YAML file with the settings of one"
_FILES: Final = (".yaml", ".yml")


@dataclass(frozen=True)
class LLMSettings:
    model: str  # hf:FOLDER or http://host/v1#MODEL
    examples: int = 12  # in a prompt
    template: str | None = None  # a file like prompt.yaml
    least_certainty: float = 0.0  # probability of a program from which a sentence counts as understood
    batch: int = 8  # hf: sentences that are read together
    tries: int = 3  # endpoint: answers to one sentence, each but the first after an objection
    attempts: int = 5  # endpoint: requests for one answer, where the server is busy or fails
    timeout: float = 120.0  # endpoint: seconds for one request
    workers: int = 4  # endpoint: requests at the same time
    max_tokens: int = 2048  # endpoint: of one answer; a model that thinks aloud needs more than a program has
    logprobs: bool = True  # endpoint: ask for log-probabilities, to say how sure a reading is
    key_variable: str = KEY_VARIABLE  # endpoint: environment variable that holds the key, if one is needed

    def __post_init__(self) -> None:
        check_name(self.model)
        if min(self.batch, self.tries, self.attempts, self.workers, self.max_tokens) < 1 or self.timeout <= 0:
            raise ValueError(
                "expected batch, tries, attempts, workers and max_tokens of at least 1, and timeout above 0"
            )
        if self.examples < 0 or not 0 <= self.least_certainty <= 1:
            raise ValueError("expected examples of at least 0, and least_certainty from 0 to 1")

    @property
    def remote(self) -> bool:
        return is_remote(self.model)

    @property
    def local(self) -> str:
        """The folder or name of a model for `transformers`."""
        return self.model.removeprefix(LOCAL)


def is_llm(name: str | Path) -> bool:
    """Whether a name is that of a language model, or of a file with its settings."""
    return str(name).startswith(LOCAL) or is_named(str(name)) or Path(name).suffix in _FILES


def read_settings(name: str | Path) -> LLMSettings:
    """Raises `ConfigError` for a name or a file that cannot be used."""
    if Path(name).suffix in _FILES and not is_named(str(name)):
        return load_config(LLMSettings, Path(name))
    try:
        return LLMSettings(str(name))
    except ValueError as error:
        raise ConfigError(f"the parser's {error}.") from None

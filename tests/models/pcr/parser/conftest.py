from pathlib import Path

import pytest

from models.pcr.parser.network import ParserSize
from models.pcr.parser.parser import Parser, load_parser
from models.pcr.parser.training.trainer import ParserConfig, train_parser
from models.train.run import Run
from tests.support.little_language import little_scenes
from tests.support.made_once import made_once

TINY = ParserConfig(
    seed=2,  # a parser this small does not learn to understand and to refuse with every seed
    steps=300,
    check_every=100,
    batch_size=32,
    learning_rate=6e-3,
    warmup_steps=30,
    grammar=0.0,
    device="cpu",
    model=ParserSize(width=32, layers=1, decoder_layers=1, heads=2, feed_forward=64, dropout=0.0),
)


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny parser that has learned the little language."""

    def make(folder: Path) -> None:
        train_parser(TINY, Run(Path(), folder), little_scenes(16, 0), little_scenes(8, 1, 100))

    return made_once(tmp_path_factory, "trained_parser", make)


@pytest.fixture(scope="session")
def parser(trained: Path) -> Parser:
    return load_parser(trained)

import json
from pathlib import Path

import pytest
import torch

from comphy.errors import ComphyError, ConfigError, DatasetError
from models.pcr.parser.network import ParserSize
from models.pcr.parser.parser import load_parser
from models.pcr.parser.storage import (
    DESCRIPTION,
    WEIGHTS,
    Description,
    copy_parser,
    load_saved,
    save_description,
    save_weights,
)
from models.pcr.parser.words.reading import SubwordVocabulary

SIZE = ParserSize(width=8, layers=1, heads=2, feed_forward=8)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    description = Description.of(SIZE, SubwordVocabulary.of([["how", "many", "cubes"]]))
    torch.manual_seed(0)
    save_description(tmp_path, description)
    save_weights(tmp_path, description, description.module(), threshold=-0.25)
    return tmp_path


def test_what_was_saved_is_loaded(saved: Path):
    description, module, threshold = load_saved(saved)
    torch.manual_seed(0)
    same = description.module().state_dict()
    assert threshold == -0.25 == load_parser(saved).threshold
    assert all(torch.equal(tensor, same[name]) for name, tensor in module.state_dict().items())


def test_a_parser_can_be_taken_from_another_run(saved: Path, tmp_path: Path):
    copy_parser(saved, tmp_path / "mine")
    assert load_parser(tmp_path / "mine").threshold == -0.25
    (saved / WEIGHTS).write_bytes(b"broken")
    with pytest.raises(DatasetError, match="not a checkpoint"):
        copy_parser(saved, tmp_path / "other")
    assert not (tmp_path / "other").exists()
    with pytest.raises(DatasetError, match=r"expected a parser, or a run with one \(found no parser\.json\)"):
        copy_parser(tmp_path / "other", tmp_path / "third")


def test_weights_of_another_vocabulary_are_refused(saved: Path):
    words = json.loads((saved / DESCRIPTION).read_text())["words"]
    edit(saved / DESCRIPTION, words=[*words[:-2], words[-1], words[-2]])
    with pytest.raises(DatasetError, match="belong to another vocabulary"):
        load_parser(saved)


def test_weights_of_another_architecture_are_refused(saved: Path):
    record = json.loads((saved / DESCRIPTION).read_text())
    edit(saved / DESCRIPTION, size=record["size"] | {"feed_forward": 16})
    with pytest.raises(DatasetError, match="another architecture"):
        load_parser(saved)


def test_a_parser_for_other_operators_is_refused(saved: Path):
    tokens = json.loads((saved / DESCRIPTION).read_text())["tokens"]
    edit(saved / DESCRIPTION, tokens=[token for token in tokens if token != "filter_heavy"])
    with pytest.raises(ConfigError, match=r"another set of operators .*different: filter_heavy\. Train it anew"):
        load_parser(saved)
    edit(saved / DESCRIPTION, tokens=tokens[::-1])
    with pytest.raises(ConfigError, match="different: their order"):
        load_parser(saved)


def test_a_parser_of_whole_words_is_refused_with_a_way_out(saved: Path):
    """As parsers were before word pieces."""
    record = json.loads((saved / DESCRIPTION).read_text())
    (saved / DESCRIPTION).write_text(json.dumps({key: record[key] for key in ("size", "words", "tokens")}))
    with pytest.raises(DatasetError, match=r"before word pieces\. Train it anew with comphy train"):
        load_parser(saved)


@pytest.mark.parametrize("name", [DESCRIPTION, WEIGHTS])
@pytest.mark.parametrize("content", [None, b"", b"{}"])
def test_damaged_and_missing_files_are_named(saved: Path, name: str, content: bytes | None):
    (saved / name).unlink()
    if content is not None:
        (saved / name).write_bytes(content)
    with pytest.raises(ComphyError, match=name):
        load_parser(saved)


def edit(path: Path, **changes: object) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))

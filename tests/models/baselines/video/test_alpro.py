"""A BERT in a folder is fine-tuned, with the dataset's words in its embedding; what is no BERT is refused."""

import shutil
from pathlib import Path

import pytest
import torch
from transformers import BertConfig, BertModel, BertTokenizerFast, DistilBertConfig

from comphy.dataset.frames import FrameKey
from comphy.errors import ConfigError
from models.baselines.alpro import ALPRO, ALPROSize
from models.baselines.video.features import FrameFeatureShape
from models.baselines.video.settings import Shown
from models.baselines.video.training import Interface
from models.questions.tokens import PAD_ID, SPECIAL
from models.tasks import load_task, train
from models.train.run import Run

WORDS = (*SPECIAL, "cube", "cubes", "xylophone")
PIECES = [*SPECIAL, "[CLS]", "[MASK]", "cube", "##s", "sphere"]
SHAPE = FrameFeatureShape(target=3, references=2, reference=2, cells=2, features=4)
INTERFACE = Interface(WORDS, 5, SHAPE, Shown(), torch.zeros(4), torch.ones(4))
CONFIG = Path("configs/baselines/alpro.yaml")
SIZE = ALPROSize(classifier=8, dropout=0.3)


def _config(layers: int = 1, feed_forward: int = 16) -> BertConfig:
    return BertConfig(
        vocab_size=len(PIECES),
        hidden_size=12,
        num_hidden_layers=layers,
        num_attention_heads=2,
        intermediate_size=feed_forward,
        max_position_embeddings=16,
    )


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of one layer and 12 units, with a tokenizer of a few pieces, as `transformers` saves them."""
    folder = tmp_path_factory.mktemp("bert")
    torch.manual_seed(0)
    BertModel(_config()).save_pretrained(folder)
    _save_tokenizer(folder, PIECES)
    return folder


def _save_tokenizer(folder: Path, pieces: list[str]) -> None:
    BertTokenizerFast(vocab={piece: number for number, piece in enumerate(pieces)}).save_pretrained(folder)


def test_a_checkpoint_sets_sizes_weights_and_words(bert: Path) -> None:
    model = ALPRO(SIZE, INTERFACE, str(bert))
    known = BertModel.from_pretrained(bert)
    assert model.encoder.config.hidden_size == 12 and model.encoder.config.hidden_dropout_prob == 0.3
    layers = [one.encoder.layer[0].intermediate.dense.weight for one in (model.encoder, known)]
    assert torch.equal(*layers)
    pieces = known.get_input_embeddings().weight
    words = model.encoder.get_input_embeddings()
    row = {word: words.weight[number] for number, word in enumerate(WORDS)}
    assert words.weight.requires_grad and words.num_embeddings == len(WORDS) and words.padding_idx == PAD_ID
    assert torch.equal(row["cube"], pieces[PIECES.index("cube")])
    torch.testing.assert_close(row["cubes"], (pieces[PIECES.index("cube")] + pieces[PIECES.index("##s")]) / 2)
    assert torch.equal(row["xylophone"], pieces[PIECES.index("[UNK]")]) and torch.equal(row["[SEP]"], pieces[2])


def test_a_sentence_may_be_longer_than_the_places_of_a_checkpoint(bert: Path) -> None:
    model = ALPRO(SIZE, INTERFACE, str(bert)).eval()
    logits = model(torch.full((2, 40), 3), torch.tensor([40, 7]), torch.zeros(2, 3, 2, 4), None)
    assert logits.answers.shape == (2, 5) and logits.correct.shape == (2,) and torch.isfinite(logits.answers).all()


def _changed(bert: Path, folder: Path, change: str) -> Path:
    shutil.copytree(bert, folder)
    weights = folder / "model.safetensors"
    if change == "another model":
        DistilBertConfig().save_pretrained(folder)
    elif change == "cut off":
        weights.write_bytes(weights.read_bytes()[:200])
    elif change == "no weights":
        weights.unlink()
    elif change == "more layers":
        _config(layers=3).save_pretrained(folder)
    elif change == "other widths":
        _config(feed_forward=24).save_pretrained(folder)
    elif change == "another tokenizer":
        _save_tokenizer(folder, [*PIECES, "cone"])
    elif change == "no tokenizer":
        for name in ("tokenizer.json", "tokenizer_config.json"):
            (folder / name).unlink()
    return folder


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("another model", r"expected a BERT .*found: a model of the type distilbert"),
        ("cut off", r"expected a BERT in the format of transformers"),
        ("no weights", r"expected a BERT in the format of transformers"),
        ("more layers", r"expected all weights of a BERT \(missing: 32, such as encoder\.layer\.1"),
        ("other widths", r"expected a BERT in the format of transformers"),
        ("no tokenizer", r"expected the tokenizer of a BERT .*found: none of tokenizer.json, vocab.txt"),
        ("another tokenizer", r"expected a tokenizer of at most 8 pieces.*found 9"),
    ],
)
def test_what_is_no_bert_is_refused(bert: Path, tmp_path: Path, change: str, message: str) -> None:
    with pytest.raises(ConfigError, match=rf"{message}.*weights=FOLDER, or leave weights out"):
        ALPRO(SIZE, INTERFACE, str(_changed(bert, tmp_path / "bert", change)))


def test_a_folder_that_is_not_there_is_refused_before_frames_are_drawn(tmp_path: Path) -> None:
    task, config = load_task(CONFIG, [f"weights={tmp_path / 'none'}"])
    with pytest.raises(
        ConfigError, match=r"none: expected the folder of a BERT \(found nothing\)\. Nothing is downloaded"
    ):
        train(task, config, Run(tmp_path, tmp_path / "run"))


class GrayFrames:
    def draw(self, keys: list[FrameKey]) -> torch.Tensor:
        return torch.full((len(keys), 64, 96, 3), 128, dtype=torch.uint8)


@pytest.mark.slow
def test_a_run_from_its_config_says_how_its_encoder_began(bert: Path, six_rendered: Path, tmp_path: Path) -> None:
    """By the config that ships, from scratch and from a folder, on the same cache."""
    small = ["model.layers=1", "model.heads=2", "model.width=8", "model.feed_forward=8", "epochs=1", "device=cpu"]
    few = ["frames.width=96", "frames.target=2", "frames.reference=1", f"cache={tmp_path / 'cache'}"]
    for name, weights in (("scratch", None), ("bert", bert)):
        given = [f"weights={weights}"] if weights else []
        task, config = load_task(CONFIG, [*small, *few, *given])
        run = Run(six_rendered, tmp_path / name, open_frames=lambda source, width, device: GrayFrames())
        outcome = train(task, config, run)
        begun = f"from the BERT {weights}" if weights else "from scratch"
        assert outcome.note == (
            "Training finished: 1 epochs, the best is epoch 1. Seen: frame features in a grid of 5x8 of the backbone of the "
            f"perceiver pcr/perceiver. The encoder was trained {begun}."
        )
        assert set(outcome.reports) == {"val", "test"} and outcome.reports["test"].unanswered == 0

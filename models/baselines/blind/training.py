"""The Blind-LSTM's config and training on question-answer pairs alone."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from comphy.errors import DatasetError
from comphy.questions.model import SceneQuestions
from models.baselines.blind.lstm import Description, LSTMSize, save_description, save_weights
from models.baselines.examples import ExampleBatch, encode, labelled
from models.baselines.training import AnswerProgress, AnswerTraining, Examples, TrainableModel, check_config
from models.questions.tokens import Vocabulary
from models.train.randomness import seeded
from models.train.run import Run


@dataclass(frozen=True)
class BlindLSTMConfig:
    task: str = "blind_lstm"
    seed: int = 0
    epochs: int = 40  # at most
    patience: int = 5  # epochs without a lower validation loss before the training stops
    batch_size: int = 128
    learning_rate: float = 4e-3
    weight_decay: float = 1e-2
    max_gradient_norm: float = 1.0
    model: LSTMSize = field(default_factory=LSTMSize)

    def __post_init__(self) -> None:
        check_config(self)


@dataclass(frozen=True)
class BlindData:
    """The examples of both splits, encoded with one description's vocabulary."""

    description: Description
    train: ExampleBatch
    val: ExampleBatch

    def fingerprint(self) -> list[str]:
        return [self.description.fingerprint(), self.train.fingerprint(), self.val.fingerprint()]


def prepare(
    train: Sequence[SceneQuestions], val: Sequence[SceneQuestions], size: LSTMSize, name: str = "the Blind-LSTM"
) -> BlindData:
    """Encode both splits with the vocabulary and the answers of the training questions."""
    examples = labelled(train, "train")
    answers = sorted({example.answer for example in examples if example.answer is not None})
    if not answers or all(example.correct is None for example in examples):
        missing = "choices" if answers else "factual questions"
        raise DatasetError(f"the train split holds no answered {missing}; {name} learns from both kinds.")
    vocabulary = Vocabulary.of(example.words for example in examples)
    description = Description(size, list(vocabulary.words), answers)
    return BlindData(
        description,
        encode(examples, vocabulary, answers),
        encode(labelled(val, "val"), vocabulary, answers),
    )


def fit(config: BlindLSTMConfig, data: BlindData, run: Run) -> AnswerProgress:
    """Train until finished or stopped; returns how far it came."""
    with seeded(config.seed, 0):
        module = data.description.module()
    model = TrainableModel("the Blind-LSTM", module, lambda: save_weights(run.out, data.description, module))
    examples = Examples(data.train, data.val, {"examples": data.fingerprint()})
    training = AnswerTraining(config, model, examples, run)
    save_description(run.out, data.description)
    return training.run()

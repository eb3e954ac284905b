"""What a vision-language model is told and shown."""

import base64
import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from comphy.dataset.sources.source import STANDARD
from comphy.errors import ConfigError
from comphy.questions.model import SceneQuestions
from comphy.scene.vocabulary import Color
from models.baselines.lvlm.config import FewShot, LVLMConfig, Prices, ShownFrames
from models.baselines.lvlm.few_shot import ExamplePool
from models.baselines.lvlm.parsing import read_strictly
from models.baselines.lvlm.prompts import Example, Prompter, Shown, answer_text, digest, load_template
from models.llm.messages import Clip, Message
from models.questions.question_types import unordered

FRAMES = ShownFrames(target=5, reference=2)


@pytest.fixture
def scene(make_scenes) -> SceneQuestions:
    return make_scenes(1)[0]


def prompter(frames: ShownFrames = FRAMES, show_examples: bool = True) -> Prompter:
    return Prompter(load_template(), frames, STANDARD, show_examples)


def test_references_come_before_the_target_and_the_question_last(scene: SceneQuestions):
    system, asked = prompter().conversation(7, scene.questions[0])
    assert system.role == "system" and "hidden properties" in str(system.parts[0])
    shown = [part for part in asked.parts if isinstance(part, Shown)]
    assert [part.video for part in shown] == [f"reference_{number}" for number in range(4)] + ["target"]
    assert shown[0] == Shown(7, "reference_0", (0, 49)) and shown[-1].numbers == (0, 31, 62, 93, 124)
    assert str(asked.parts[0]).startswith("Reference video 1 of 4: 2 frames, evenly spaced over 2 seconds.")
    head, _, tail = str(asked.parts[-1]).partition("\n")
    assert head == f"Question: {scene.questions[0].text}"
    assert tail == f"Answer with one of these, and nothing else: {', '.join(Color)}."


def test_without_frames_of_references_the_target_is_shown_alone(scene: SceneQuestions):
    asked = prompter(ShownFrames(target=3, reference=0)).conversation(7, scene.questions[0])[-1]
    assert [part.video for part in asked.parts if isinstance(part, Shown)] == ["target"]
    assert "Reference" not in str(asked.parts)


def test_pairs_and_options_have_texts_of_their_own(scene: SceneQuestions):
    pair, options = (prompter().conversation(0, scene.questions[number])[-1].parts[-1] for number in (2, 3))
    assert 'two of these, joined by "and"' in str(pair)
    first, second = scene.questions[3].choices[:2]
    assert f"A: {first.text}\nB: {second.text}\n" in str(options)
    assert str(options).endswith("A: correct or wrong\nB: correct or wrong")


def test_a_true_answer_is_in_the_form_that_is_asked_for(scene: SceneQuestions):
    for question in scene.questions:
        answer = read_strictly(answer_text(question), question)
        true = question.answer and unordered(question.answer)
        assert answer == (true or {one.choice_id: one.correct for one in question.choices})


def test_examples_are_turns_with_their_answers(scene: SceneQuestions, make_scenes):
    pool = ExamplePool(make_scenes(6, seed=1, start=10), seed=0)
    question = scene.questions[3]
    drawn = pool.draw(0, question, 2)
    assert len(drawn) == 2 and {one.question.kind for one in drawn} == {question.kind} and drawn[0].scene >= 10
    assert pool.draw(0, question, 2) == drawn != pool.draw(1, question, 2)
    turns = prompter().conversation(0, question, drawn)
    assert [turn.role for turn in turns] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert turns[2].parts == (answer_text(drawn[0].question),)
    assert any(isinstance(part, Shown) and part.scene == drawn[0].scene for part in turns[1].parts)
    told = prompter(show_examples=False).conversation(0, question, drawn)
    assert len(told[1].parts) == 1 and len(told[-1].parts) == len(turns[-1].parts)


def test_a_train_split_without_answers_gives_no_examples(scene: SceneQuestions):
    with pytest.raises(ConfigError, match=r"few_shot\.examples: expected a train split whose questions have answers"):
        ExamplePool([scene.without_answers()], 0)


def test_the_digest_tells_texts_frames_and_examples_apart(scene: SceneQuestions):
    question = scene.questions[0]
    conversations = [
        prompter().conversation(0, question),
        prompter().conversation(1, question),
        prompter(ShownFrames(target=5, reference=3)).conversation(0, question),
        prompter().conversation(0, question, [Example(9, question)]),
    ]
    assert len(set(map(digest, conversations))) == 4
    assert digest(conversations[0]) == digest(prompter().conversation(0, question))


def test_more_frames_than_a_video_has_are_refused(scene: SceneQuestions):
    with pytest.raises(ConfigError, match=r"frames\.reference=51: expected at most 50"):
        prompter(ShownFrames(reference=51)).conversation(0, scene.questions[0])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("system: a {mood} one", r"system: unknown slots mood; known: none"),
        ("factual: What is it?", r"factual: expected the slots question in it"),
        ("choices: '{question}'", r"choices: expected the slots options in it"),
        ("[", r"not a usable template"),
    ],
)
def test_a_bad_template_is_explained(tmp_path: Path, text: str, message: str):
    path = tmp_path / "own.yaml"
    whole = {
        name: getattr(load_template(), name) for name in ("system", "reference", "target", "factual", "pair", "choices")
    }
    name = text.partition(":")[0]
    lines = [f"{key}: {value!r}" for key, value in whole.items() if key != name]
    path.write_text("\n".join([*lines, text]))
    with pytest.raises(ConfigError, match=message):
        load_template(path)
    with pytest.raises(ConfigError, match=r"found no such file\). See docs/howto/lvlm.md"):
        load_template(tmp_path / "nowhere.yaml")


def test_frames_become_pictures_of_the_chat_protocol():
    frames = np.zeros((2, 32, 48, 3), np.uint8)
    frames[1, :, :, 0] = 200
    record = Message("user", ("Look:", Clip(frames), "What is it?")).record()
    kinds = [part["type"] for part in record["content"]]
    assert kinds == ["text", "image_url", "image_url", "text"] and record["content"][0]["text"] == "Look:"
    head, _, data = record["content"][2]["image_url"]["url"].partition(",")
    decoded = np.asarray(Image.open(io.BytesIO(base64.b64decode(data))))
    assert head == "data:image/jpeg;base64" and decoded.shape == (32, 48, 3)
    np.testing.assert_allclose(decoded.mean((0, 1)), [200, 0, 0], atol=3)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"model": "some/model"}, r"expected hf:FOLDER or http"),
        ({"model": "http://host/v1"}, r"as http://host/v1#MODEL"),
        ({"splits": ("tests",)}, r"did you mean 'test'"),
        ({"splits": ()}, r"at least one split"),
        ({"timeout": 0.0}, r"timeout above 0"),
        ({"sets": 0}, r"sets of at least 1"),
    ],
)
def test_bad_settings_are_refused(wrong: dict[str, object], message: str):
    with pytest.raises(ValueError, match=message):
        LVLMConfig(**wrong)


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        (ShownFrames, {"target": 0}),
        (ShownFrames, {"shown_as": "gif"}),
        (FewShot, {"examples": -1}),
        (Prices, {"read": -1}),
    ],
)
def test_bad_sections_are_refused(kind: type, wrong: dict[str, object]):
    with pytest.raises(ValueError, match=r"expected|unknown"):
        kind(**wrong)

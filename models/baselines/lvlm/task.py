"""A vision-language model as a task: ask what is not asked yet, read the replies in both ways, and score them."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from comphy.dataset.sources.opening import open_source
from comphy.dataset.sources.source import VideoSource
from comphy.errors import ConfigError
from comphy.files import write_json
from comphy.questions.model import QuestionKind, SceneQuestions
from models.baselines.lvlm.asking import Asked, ReplyCollector, unanswered
from models.baselines.lvlm.config import LVLMConfig
from models.baselines.lvlm.few_shot import ExamplePool
from models.baselines.lvlm.frames import Viewer
from models.baselines.lvlm.model import open_model
from models.baselines.lvlm.prompts import Prompter, load_template
from models.baselines.lvlm.reply_log import REPLIES, ReplyKey, ReplyLog
from models.baselines.lvlm.report import Reading, SplitReading, TokenUsage, read_replies, reading_table
from models.train.device import pick_device
from models.train.run import Run, TrainingOutcome
from models.train.splits import hand_in, write_scores

STRICT: Final = "strict"  # folder of the strictly read submissions, itself a run for comphy leaderboard
READINGS: Final = "readings.json"


def run_lvlm(config: LVLMConfig, run: Run) -> TrainingOutcome:
    """Ask, read, score. Nothing is asked twice: run again to go on, or to score the replies once more."""
    source, log = open_source(run.data), ReplyLog(run.out)
    splits = {split: _questions(source, split, config.sets) for split in config.splits}
    asked = _asked(config, source, splits)
    left = unanswered(asked, log)
    if left:
        model = open_model(config)
        device = "cpu" if config.remote else str(pick_device(config.device))
        viewer = Viewer(run.frames(config.frames.source, config.frames.width, device))
        ReplyCollector(model, viewer, log, config.workers if config.remote else 1).run(left, len(asked), run)
    usage = TokenUsage.of(log.replies, config.prices)
    if len(log.replies) < len(asked):
        outcome = run.stopped(f"after {len(log.replies):,} of {len(asked):,} questions")
        return replace(outcome, note=f"{outcome.note} {usage.told()}")
    return _scored(config, run, splits, log, usage)


def _questions(source: VideoSource, split: str, sets: int | None) -> list[SceneQuestions]:
    if not source.asks(split, answers=False):
        raise ConfigError(f"splits: expected a split that has questions (found none in {split} of {source.root}).")
    return source.questions(split, answers=False)[:sets]


def _asked(config: LVLMConfig, source: VideoSource, splits: dict[str, list[SceneQuestions]]) -> list[Asked]:
    template = load_template(Path(config.template) if config.template is not None else None)
    prompter = Prompter(template, config.frames, source.lengths, config.few_shot.frames)
    count = config.few_shot.examples
    pool = ExamplePool(source.questions("train"), config.seed) if count else None
    return [
        Asked(
            ReplyKey(split, scene.scene_index, question.question_id),
            prompter.conversation(
                scene.scene_index, question, pool.draw(scene.scene_index, question, count) if pool else ()
            ),
        )
        for split, scenes in splits.items()
        for scene in scenes
        for question in scene.without_answers().questions
        if question.kind is QuestionKind.FACTUAL or question.choices
    ]


def _scored(
    config: LVLMConfig, run: Run, splits: dict[str, list[SceneQuestions]], log: ReplyLog, usage: TokenUsage
) -> TrainingOutcome:
    source, readings = open_source(run.data), list[SplitReading]()
    for how, out in ((Reading.STRICT, run.out / STRICT), (Reading.LOOSE, run.out)):
        for split, scenes in splits.items():
            submission = read_replies(log.replies, split, scenes, how)
            report = hand_in(submission, source, split, out, config.sets)
            asked = sum(len(scene.questions) for scene in scenes)
            readings.append(SplitReading(split, how, len(submission), asked, report))
        write_scores(out, {one.split: one.report for one in readings if one.how is how and one.report})
    record = {f"{one.split}, {one.how}": one.record() for one in readings}
    write_json(run.out / READINGS, {"readings": record, "replies": usage.record()}, indent=1)
    note = f"Nothing to train: {config.named} was asked. {usage.told()} They are kept in {run.out / REPLIES}."
    return TrainingOutcome(note, tables=[reading_table(readings)])

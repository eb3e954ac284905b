"""`comphy evaluate`: score a submission or a trained reasoner against the true answers, a parser against the true programs,
or a perceiver against the true boxes."""

from pathlib import Path
from typing import Annotated

import typer

from comphy.choices import CameraChoice, Frames, Split, Watched
from comphy.cli.options import CameraOption, DeviceOption, FramesOption, JsonOption, ParserOption, frames_source
from comphy.command import build_app, when_interrupted
from comphy.errors import ConfigError
from comphy.resources import find_weights


@when_interrupted("What --stress has perceived is kept in --out; nothing else was changed. Run the same command again.")
def main(
    what: Annotated[
        str,
        typer.Argument(
            help="A submission file, the run of a reasoner, parser or perceiver, the name pcr, or a language model."
        ),
    ],
    data: Annotated[Path, typer.Argument(help="Folder of a dataset; for a submission also a question file.")],
    split: Annotated[Split, typer.Option(help="Split of the dataset.")] = Split.TEST,
    out: JsonOption = None,
    beside: Annotated[
        list[Path] | None, typer.Option(help="Answers: another submission or run for the same table; repeatable.")
    ] = None,
    baselines: Annotated[bool, typer.Option(help="Answers: random and frequent answers in the same table.")] = False,
    plots: Annotated[
        Path | None, typer.Option(help="Answers: draw accuracies and a reasoner's calibration into this folder.")
    ] = None,
    cache: Annotated[
        Path | None, typer.Option(help="Reasoner, probes: feature cache; by default the reasoner's own.")
    ] = None,
    diagnose: Annotated[bool, typer.Option(help="Reasoner: put the truth in place of each module.")] = False,
    calibrate: Annotated[
        bool,
        typer.Option(
            "--calibrate", help="Reasoner: recalibrate confidence by the answers on train or val; kept in the run."
        ),
    ] = False,
    without: Annotated[
        list[str] | None,
        typer.Option(
            help="Reasoner: switch a part off when answering, such as follow_recording or property_refinement; repeatable."
        ),
    ] = None,
    posterior_samples: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=256,
            help="Reasoner: so many motions from the posterior of the fit tell how sure imagined events are; 0: none.",
        ),
    ] = None,
    posterior_spread: Annotated[
        float | None,
        typer.Option(min=0.01, help="Reasoner: how many times as far from the best motion they are than drawn."),
    ] = None,
    parser: ParserOption = None,
    camera: CameraOption = CameraChoice.AUTO,
    sets: Annotated[
        int | None, typer.Option(min=1, help="Reasoner, parser, perceiver: the first so many sets of the split.")
    ] = None,
    frames: FramesOption = Frames.AUTO,
    videos: Annotated[Watched, typer.Option(help="Perceiver: which videos of a set are scored.")] = Watched.ALL,
    probe: Annotated[
        bool,
        typer.Option(
            "--probe", help="Perceiver: how much the embeddings in --cache tell of color, shape and material."
        ),
    ] = False,
    device: DeviceOption = "auto",
    batch: Annotated[int | None, typer.Option(min=1, help="Perceiver: frames looked at together.")] = None,
    stress: Annotated[
        bool, typer.Option("--stress", help="Reasoner: a table of accuracies on frames with noise, compression, …")
    ] = False,
    only: Annotated[
        str | None, typer.Option(metavar="ROW,ROW…", help="Stress: these rows and the first; by default all.")
    ] = None,
    kept: Annotated[
        Path, typer.Option("--out", help="Stress: folder of the table and of what was perceived; gone on with.")
    ] = Path("out/stress"),
    perceiver: Annotated[
        Path | None, typer.Option(help="Stress: the perceiver's run or weights; by default in the reasoner's run.")
    ] = None,
    blender_sets: Annotated[int, typer.Option(min=1, help="Stress: so many sets are drawn by Blender.")] = 20,
) -> None:
    """Print scores: accuracies with 95 % intervals as in the paper's tables, or detection, tracking and alignment.

    Example: comphy evaluate pcr out/comphy --split val --cache out/cache --plots out/plots
    """
    from comphy.dataset.sources.opening import open_source
    from comphy.files import write_json
    from comphy.toolkit.evaluation import (
        ReportOptions,
        evaluate_parser,
        evaluate_perceiver,
        evaluate_reasoner,
        evaluate_submission,
        print_remarks,
    )
    from comphy.toolkit.probing import evaluate_probes
    from comphy.toolkit.stress.conditions import choose
    from comphy.toolkit.stress.job import run_stress
    from comphy.toolkit.stress.running import StressTest
    from models.pcr.asking.sets import PERCEIVER
    from models.pcr.evaluation.reasoner_evaluation import open_evaluation
    from models.pcr.parser.llm.opening import open_llm
    from models.pcr.parser.llm.settings import is_llm
    from models.pcr.parser.opening import open_parser
    from models.pcr.parser.parser import load_parser
    from models.pcr.parser.storage import is_parser
    from models.pcr.reasoner.checkpoint import is_reasoner
    from models.perceiver.perceive import is_perceiver, open_perceiver
    from models.train.device import pick_device

    path = Path(what) if is_llm(what) else find_weights(what)
    if calibrate and (split is Split.TEST or without or parser or not is_reasoner(path)):
        other = f"{', --without' if without else ''}{', --parser' if parser else ''}"
        raise ConfigError(
            "expected the run of a whole reasoner with its own parser and --split val or train with --calibrate "
            f"(got {path}, --split {split}{other}). Test answers are only measured."
        )
    if parser is not None and not is_reasoner(path):
        raise ConfigError(f"expected the run of a reasoner to go with --parser (got {what}). Leave --parser out.")
    of_samples = {"--posterior-samples": posterior_samples, "--posterior-spread": posterior_spread}
    for option, value in of_samples.items():
        if value is not None and not is_reasoner(path):
            raise ConfigError(f"expected the run of a reasoner to go with {option} (got {what}). Leave {option} out.")
    if stress or only is not None:
        others = {
            "--cache": cache,
            "--diagnose": diagnose,
            "--calibrate": calibrate,
            "--beside": beside,
            "--baselines": baselines,
            "--plots": plots,
            **{option: value is not None for option, value in of_samples.items()},
        }
        _require_stress(path, is_reasoner(path), stress, [name for name, given in others.items() if given])
        looks = perceiver or (path if path.is_dir() else path.parent) / PERCEIVER
        test = StressTest(path, looks, data, split, kept, sets, blender_sets, pick_device(device), batch, without or ())
        scored = run_stress(test, choose([name.strip() for name in only.split(",")] if only is not None else ()))
        if out is not None:
            write_json(out, scored, indent=1)
        return
    if probe and not is_perceiver(path):
        raise ConfigError(f"expected the run of a perceiver with --probe (got {what}).")
    options = ReportOptions(data, split, beside or [], baselines, plots, sets)
    if is_llm(what):
        scored = evaluate_parser(open_llm(what, pick_device(device)), data, split, sets)
    elif is_reasoner(path):
        reads = open_parser(path, parser, pick_device(device)) if parser is not None else None
        evaluation = open_evaluation(
            path,
            data,
            split,
            cache,
            pick_device(device),
            without or (),
            sets,
            reads,
            camera,
            posterior_samples,
            posterior_spread,
        )
        scored = evaluate_reasoner(evaluation, path, options, diagnose, calibrate)
        if reads is not None:
            print_remarks(reads)
    elif is_parser(path):
        scored = evaluate_parser(load_parser(path, pick_device(device)), data, split, sets)
    elif is_perceiver(path) and probe:
        scored = evaluate_probes(path, cache, data, split, sets)
    elif is_perceiver(path):
        opened = open_perceiver(path, pick_device(device), batch, open_source(data).lengths)
        scored = evaluate_perceiver(opened, data, split, sets, frames_source(data, frames), videos)
    else:
        scored = evaluate_submission(path, options)
    if out is not None:
        write_json(out, scored, indent=1)


def _require_stress(path: Path, whole: bool, asked: bool, others: list[str]) -> None:
    """Raise unless a stress test was asked for, of a whole reasoner, and nothing else with it."""
    if not asked:
        raise ConfigError("expected --stress with --only: it chooses rows of that table.")
    if not whole:
        raise ConfigError(f"{path}: expected the run of a reasoner with --stress (found none), or the name pcr.")
    if others:
        raise ConfigError(
            f"expected --stress without {', '.join(others)}: its table has rows of its own. Run it apart."
        )


app = build_app(main)

"""The card of packed weights: what they are, how they were made, and what they reach."""

from collections.abc import Mapping
from typing import Any, Final

from comphy.toolkit.reproduction.config import ReproduceConfig
from comphy.toolkit.reproduction.reports import CHOSEN_BY_NAME
from comphy.toolkit.reproduction.tables import Reports, answer_table, concept_table, markdown, prose

_ASK: Final = """```
comphy ask pcr demo:0 "If the purple cylinder were lighter, what would happen?"
```
"""


def card(
    config: ReproduceConfig,
    settings: Mapping[str, Any],
    sizes: Mapping[str, int],
    command: str,
    val: Reports,
    test: Reports,
    chosen: int,
) -> str:
    """The text of README.md.

    Args:
        config: what was reproduced.
        settings: the same in full.
        sizes: bytes of the parts, as `pack` gives them.
        command: what made all this.
        val: reports of the seeds on val.
        test: on test.
        chosen: the seed whose weights these are.
    """
    return "\n".join(
        (
            "# PCR\n",
            prose("A perceiver, a parser and a reasoner that answer questions about ComPhy videos:"),
            _ASK,
            _parts(config, settings, sizes),
            prose(
                f"**Learned from** {config.sets_of('train'):,} train sets: boxes with identity within a video for the "
                f"perceiver{_looks(config)}, programs for the parser, answers and recorded motion for the rest. No mass, "
                "charge, colour, shape or material was ever told."
            ),
            prose(
                f"**How.** `{command}` generates the sets, trains the perceiver, perceives, and trains parser and reasoner "
                f"once for each of the seeds {', '.join(map(str, config.seeds))}. These are the weights of seed {chosen}: "
                f"it is best by {CHOSEN_BY_NAME}."
            ),
            prose(f"**How good.** Accuracies in % on {config.sets_of('test'):,} test sets that no part has seen:"),
            answer_table("test", test, chosen, published=True),
            prose(f"On {config.sets_of('val'):,} val sets, by which the seed was chosen:"),
            answer_table("val", val, chosen),
            prose("What objects are taken to be:"),
            concept_table("test, %", test, chosen),
            prose("**Not for** videos of other kinds: other objects, another camera, other laws."),
        )
    )


def _looks(config: ReproduceConfig) -> str:
    stills = config.stills
    return f" (also in {stills.videos * stills.frames:,} frames that Blender drew)" if stills.videos else ""


def _parts(config: ReproduceConfig, settings: Mapping[str, Any], sizes: Mapping[str, int]) -> str:
    detector, parser = settings["perceiver"]["detector"], settings["parser"]["parser"]["model"]
    picture = f"{detector['width']}x{detector['height']} pixels"
    said = {
        "perceiver": f"Faster R-CNN with the backbone {detector['backbone']}, {picture} (`{config.perceiver.config}`)",
        "parser": f"transformer, layers: {parser['layers']}, well-typed programs only",
        "reasoner.safetensors": f"attributes, events, hidden properties, dynamics (`{config.reasoner.config}`)",
    }
    rows = [[f"`{part}`", said[part], f"{sizes[part] / 1e6:.1f}"] for part in said]
    return markdown(["part", "what", "MB"], rows, words=2)

"""A question that a trained model has answered, on the page of a dataset."""

from dataclasses import dataclass
from html import escape
from pathlib import Path


@dataclass(frozen=True)
class AnsweredQuestion:
    """What a model said about a set. `sure` is the chance it gives itself; `clip` shows what it imagined, if it did."""

    index: int
    question: str
    answer: str
    sure: float
    clip: Path | None = None


def answered_section(asked: AnsweredQuestion, clip: str) -> str:
    """`clip` is the HTML of the clip, or empty."""
    return f"""<section id="asked-{asked.index}">
<div class="title"><h2>Asked about set {asked.index}</h2><span class="muted">answered by the weights that ship with the
toolkit, from the videos alone</span></div>
<p class="asked"><span class="strong">{escape(asked.question)}</span></p>
<p>Answer: <span class="correct">{escape(asked.answer)}</span> <span class="muted">{asked.sure:.0%} sure</span></p>
{clip}
</section>"""

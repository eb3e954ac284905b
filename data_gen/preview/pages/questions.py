"""The questions on the page: answers and choices in sight, traces folded, evidence that leads to its place in the clip."""

from html import escape
from typing import Final

from comphy.questions.model import Choice
from data_gen.preview.pictures.clip import clip_seconds
from data_gen.preview.questions import Evidence, SetQuestions, ShownQuestion
from data_gen.preview.scene import PreviewSet
from data_gen.preview.trace import ShownStep, Trace, TracedChoice

# Signs and words, not colours alone, tell right from wrong.
_VERDICTS: Final = {
    True: '<span class="verdict correct">✓ correct</span>',
    False: '<span class="verdict">✗ wrong</span>',
    None: '<span class="verdict">unknown</span>',
}

# Without it, or with a new tab asked for, a chip is a link that opens the clip at the same time.
SEEK_SCRIPT: Final = """
document.addEventListener("click", (event) => {
  const chip = event.target.closest("a[data-seconds]");
  if (!chip || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const clip = document.getElementById(chip.dataset.clip);
  clip.pause();
  clip.currentTime = Number(chip.dataset.seconds);
  clip.scrollIntoView({ block: "center" });
  clip.focus({ preventScroll: true });
});
"""


def clip_id(scene: PreviewSet) -> str:
    return f"clip-{scene.index}"


def question_list(asked: SetQuestions, scene: PreviewSet, clip: str) -> str:
    """All questions of a set; `clip` is the address of its annotated clip."""
    remark = f'<p class="muted">{escape(asked.remark)}</p>' if asked.remark else ""
    if not asked.questions:
        return remark
    items = "\n".join(f"<li>\n{_question(shown, scene, clip)}\n</li>" for shown in asked.questions)
    return f'{remark}<ol class="questions">\n{items}\n</ol>'


def _question(shown: ShownQuestion, scene: PreviewSet, clip: str) -> str:
    asked = f'<p class="asked"><span class="strong">{escape(shown.question.text)}</span>{_muted(shown.sort)}</p>'
    problem = f'<p class="problem">Problem: {escape(shown.problem)}</p>' if shown.problem else ""
    parts = [asked, _answer(shown), problem, _evidence(shown.evidence, scene, clip), _details(shown)]
    return "\n".join(part for part in parts if part)


def _answer(shown: ShownQuestion) -> str:
    if not shown.question.choices:
        answer = shown.question.answer
        return f'<p>Answer: <span class="correct">{"unknown" if answer is None else escape(answer)}</span></p>'
    return f'<ul class="choices">{"".join(_choice(choice) for choice in shown.question.choices)}</ul>'


def _choice(choice: Choice) -> str:
    number = f'<span class="muted">{choice.choice_id}</span>'
    return f"<li>{number}{_VERDICTS[choice.correct]}<span>{escape(choice.text)}</span></li>"


def _evidence(evidence: tuple[Evidence, ...], scene: PreviewSet, clip: str) -> str:
    if not evidence:
        return ""
    chips = "".join(_chip(entry, scene, clip) for entry in evidence)
    return f'<p class="shown">{_muted("Seen in")}{chips}</p>'


def _chip(entry: Evidence, scene: PreviewSet, clip: str) -> str:
    seconds = f"{clip_seconds(scene, entry.video, entry.frame):.2f}"
    place = f'data-clip="{clip_id(scene)}" data-seconds="{seconds}"'
    return f'<a class="chip" href="{clip}#t={seconds}" {place}>{escape(entry.words)}</a>'


def _details(shown: ShownQuestion) -> str:
    if not shown.trace.steps:
        return ""
    run = f"<p>Counterfactual run {escape(shown.premise)}.</p>" if shown.run else ""
    program = f"<p>{_muted('Program')} <code>{escape(' '.join(shown.question.program))}</code></p>"
    return f"<details><summary>How it follows</summary>\n{run}{_trace(shown.trace)}{program}\n</details>"


def _trace(trace: Trace) -> str:
    rows = [_step_row(step, trace.lines(step)) for step in trace.steps]
    rows += [_choice_row(traced) for traced in trace.choices]
    return f'<table class="trace"><tbody>\n{"".join(rows)}</tbody></table>'


def _step_row(step: ShownStep, lines: list[str]) -> str:
    of = f' <span class="of">of {", ".join(map(str, step.takes))}</span>' if step.takes_others else ""
    result = "".join(f"<div>{escape(line)}</div>" for line in lines)
    return _row(str(step.number), f"<code>{escape(step.call)}</code>{of}", result)


def _choice_row(traced: TracedChoice) -> str:
    said = ", ".join(f"<code>{escape(step.call)}</code> {escape(', '.join(step.items))}" for step in traced.verdict)
    verdict = f"<div>{escape(traced.event)}</div><div>{said}, so {_VERDICTS[traced.holds]}</div>"
    return _row("", f"choice {traced.choice.choice_id}", verdict)


def _row(number: str, call: str, result: str) -> str:
    return f'<tr><td class="muted">{number}</td><td>{call}</td><td>{result}</td></tr>\n'


def _muted(words: str) -> str:
    return f'<span class="muted">{escape(words)}</span>'

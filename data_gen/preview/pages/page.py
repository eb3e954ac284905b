"""A static page that shows a dataset: one HTML file, no outside resource, links relative to where it lies."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from comphy.dataset import layout
from comphy.dataset.annotations.extras import read_extras
from comphy.dataset.manifest import Manifest
from comphy.dataset.sources.generated import GeneratedDataset
from comphy.dataset.sources.source import VideoSource
from comphy.drawing.colors import readable_on
from comphy.files import disk_errors, write_bytes
from comphy.scene.objects import ObjectSpec
from comphy.scene.vocabulary import HEAVY_MASS, Family
from data_gen.preview.pages.answered import AnsweredQuestion, answered_section
from data_gen.preview.pages.questions import SEEK_SCRIPT, clip_id, question_list
from data_gen.preview.pages.style import CSS
from data_gen.preview.phrases import charge_sign
from data_gen.preview.pictures.labels import rgb_of
from data_gen.preview.pictures.write import Preview
from data_gen.preview.questions import SetQuestions

_FAMILY_LIMIT = 1000  # sets whose family is looked up; a huge dataset must not slow the page

_INTRODUCTION = """Video sets about hidden physics. In each set a target video of 5 seconds and four reference videos of
2 seconds show objects that move on a table, collide, attract and repel. Mass and charge cannot be seen in a single frame;
they show in how the objects move. Questions ask what happens, what comes next, and what would happen if an object were
heavier, lighter, uncharged or oppositely charged."""

_IMAGINED_CAPTION = "Recorded, and as the model imagines it"
_CLIP_CAPTION = "Target and references with boxes, velocities, hidden properties and events"


def write_page(
    source: VideoSource,
    out: Path,
    previews: Sequence[Preview],
    asked: Mapping[int, SetQuestions],
    answered: Sequence[AnsweredQuestion] = (),
) -> Path:
    """Write `out/index.html` for a source of sets; videos and pictures are linked, never copied. What a model has
    `answered` comes first."""
    parts = [_answered(out, one) for one in answered]
    parts += [_set_section(source, out, preview, asked[preview.scene.index]) for preview in previews]
    sections = "\n".join(parts)
    html = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(_title(source))}</title>
<style>{CSS}</style>
</head>
<body>
<header>
<h1>ComPhy dataset</h1>
<p>{_INTRODUCTION}</p>
{_numbers(source)}
{_navigation(previews)}
</header>
<main>
{sections}
<footer>{len(previews)} of {len(source.indices())} sets shown. {_origin(source, out)}</footer>
</main>
<script>{SEEK_SCRIPT}</script>
</body>
</html>
"""
    path = out / "index.html"
    with disk_errors(out):
        write_bytes(path, html.encode())
    return path


def _title(source: VideoSource) -> str:
    if isinstance(source, GeneratedDataset):
        return f"ComPhy dataset, seed {source.manifest.recipe.seed}"
    return f"{source.root.name}: {source.kind}"


def _origin(source: VideoSource, out: Path) -> str:
    if not isinstance(source, GeneratedDataset):
        return f"Source: {escape(str(source.kind))}."
    made = escape(source.manifest.versions.get("comphy", ""))
    links = (
        _link(source.root / layout.CARD, out, "files and formats"),
        _link(source.root / layout.MANIFEST, out, "manifest"),
    )
    return f"Made by the comphy toolkit {made}; {', '.join(links)}."


def _numbers(source: VideoSource) -> str:
    indices = source.indices()
    splits = Counter(map(source.split_of, indices))
    facts = {
        "sets": f"{len(indices):,}",
        "splits": ", ".join(f"{splits[name]:,} {name}" for name in layout.SPLITS),
    }
    if isinstance(source, GeneratedDataset):
        recipe = source.manifest.recipe
        facts |= {
            "families": _families(source.root, source.manifest),
            "frames drawn by": recipe.renderer if source.has_videos else "none (trajectories only)",
            "seed": str(recipe.seed),
        }
    items = "".join(f"<div><dt>{name}</dt><dd>{escape(value)}</dd></div>" for name, value in facts.items())
    return f'<dl class="numbers">{items}</dl>'


def _families(root: Path, manifest: Manifest) -> str:
    looked_up = sorted(manifest.sets)[:_FAMILY_LIMIT]
    counts = Counter(read_extras(root / layout.extras(index)).family for index in looked_up)
    words = ", ".join(f"{counts[family]:,} {family}" for family in Family if counts[family])
    return words if len(looked_up) == len(manifest.sets) else f"{words} (of the first {_FAMILY_LIMIT:,})"


def _navigation(previews: Sequence[Preview]) -> str:
    links = "".join(f'<a href="#set-{p.scene.index}">Set {p.scene.index}</a>' for p in previews)
    return f'<nav aria-label="Sets">{links}</nav>'


def _answered(out: Path, one: AnsweredQuestion) -> str:
    return answered_section(one, _video(one.clip, out, _IMAGINED_CAPTION) if one.clip else "")


def _set_section(source: VideoSource, out: Path, preview: Preview, asked: SetQuestions) -> str:
    scene, clip = preview.scene, _address(preview.clip, out)
    return f"""<section id="set-{scene.index}">
<div class="title"><h2>Set {scene.index}</h2><span class="muted">{scene.family} family · {scene.split} split</span></div>
{_object_table(scene.objects)}
{_videos(source, out, preview)}
<h3>With ground truth</h3>
<div class="pair">
{_video(preview.clip, out, _CLIP_CAPTION, clip_id(scene))}
{_picture(preview.top, out, f"Set {scene.index} from above", "The target's paths from above")}
</div>
<h3>Questions</h3>
{question_list(asked, scene, clip)}
<h3>Contact sheet</h3>
{_picture(preview.sheet, out, f"Contact sheet of set {scene.index}", "Objects, events, frames and counterfactual worlds")}
</section>"""


def _object_table(objects: Sequence[ObjectSpec]) -> str:
    rows = "".join(_object_row(number, spec) for number, spec in enumerate(objects))
    head = "<tr><th>#</th><th>object</th><th>mass</th><th>charge</th></tr>"
    return f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"


def _object_row(number: int, spec: ObjectSpec) -> str:
    color = rgb_of(spec)
    style = f"background:rgb{color};color:rgb{readable_on(color)}".replace(" ", "")
    mass = '<td class="strong">heavy</td>' if spec.mass == HEAVY_MASS else '<td class="muted">light</td>'
    charge = f'<td class="{"strong" if spec.charge else "muted"}">{charge_sign(spec.charge)}</td>'
    return f'<tr><td><span class="number" style="{style}">{number}</span></td><td>{spec}</td>{mass}{charge}</tr>'


def _videos(source: VideoSource, out: Path, preview: Preview) -> str:
    """The source's own videos; nothing where it has none, or pictures instead."""
    if not source.has_videos:
        return ""
    target, *references = (source.video_path(preview.scene.index, video) for video in source.lengths.videos)
    if not all(path.is_file() for path in (target, *references)):
        return ""
    four = "\n".join(_video(path, out, f"Reference {k}") for k, path in enumerate(references))
    return f"""<h3>Videos</h3>
<div class="pair">
{_video(target, out, "Target")}
<div class="four">
{four}
</div>
</div>"""


def _video(path: Path, out: Path, caption: str, identifier: str = "") -> str:
    name = f'id="{identifier}" ' if identifier else ""
    source = f'<video {name}controls muted loop playsinline preload="metadata" src="{_address(path, out)}"></video>'
    return f"<figure>{source}<figcaption>{escape(caption)}</figcaption></figure>"


def _picture(path: Path, out: Path, description: str, caption: str) -> str:
    address = _address(path, out)
    image = f'<a href="{address}"><img src="{address}" alt="{escape(description)}" loading="lazy"></a>'
    return f"<figure>{image}<figcaption>{escape(caption)}</figcaption></figure>"


def _link(path: Path, out: Path, words: str) -> str:
    return f'<a href="{_address(path, out)}">{words}</a>'


def _address(path: Path, out: Path) -> str:
    """A relative link from the page to a file, whatever characters its folders have."""
    relative = PurePosixPath(Path(os.path.relpath(path.resolve(), out.resolve())).as_posix())
    return quote(str(relative))

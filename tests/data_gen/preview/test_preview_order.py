"""Previews are built in one direction: what is known and said of a set, then pictures, then pages."""

from pathlib import Path

from tests.support.imports import import_edges

ORDER = (
    ("scene",),
    ("released",),
    ("loading",),
    ("phrases", "trace"),
    ("questions",),
    ("terminal",),
    ("pictures",),
    ("pages",),
)


def rank(module: str) -> int:
    return next(k for k, level in enumerate(ORDER) if module in level)


def test_text_then_pictures_then_pages() -> None:
    edges = [(path, name) for path, name in import_edges("data_gen.preview") if path != Path("__init__.py")]
    against = [
        f"data_gen/preview/{path} imports {name}"
        for path, name in edges
        if rank(name.split(".")[0]) > rank(path.parts[0].removesuffix(".py"))
    ]
    assert edges and not against

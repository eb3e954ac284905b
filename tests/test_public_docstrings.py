"""What a user sees has a docstring with arguments, returns and errors: the names on the API pages, and `comphy.__all__`.

The sources are read as the site reads them: nothing is imported, and names with an underscore are private."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted(page.stem for page in (ROOT / "docs" / "api").glob("*.md") if page.stem != "index")
HEADING = re.compile(r"(?:^|(?<=\n\n))(Args|Attributes|Raises|Returns|Yields):\n(?= {4}\S)")
ENTRY = re.compile(r"^ {4}([*\w]+)(?: \(.+?\))?: \S", re.MULTILINE)
PROPERTIES = {"property", "cached_property"}
RECORDS = {"NamedTuple", "TypedDict"}
ENUMS = {"Enum", "Flag", "IntEnum", "StrEnum"}
SAYS_WHAT_IT_RETURNS = ("A ", "All ", "An ", "The ", "Whether ")

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_shows_is_documented(page: str) -> None:
    targets = re.findall(r"^::: (\S+)$", (ROOT / "docs" / "api" / f"{page}.md").read_text(), re.MULTILINE)
    assert targets
    assert [fault for target in targets for fault in faults_of(target)] == []


def test_what_comphy_offers_is_documented() -> None:
    assert list(faults_of("comphy")) == []


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("def f(): ...", "no docstring"),
        ("def f(a, *b, c=0, **d):\n  '''Do.\n\n  Args:\n      a: one.\n      c: two.\n  '''", "Args"),
        ("def f(a):\n  '''Do.\n\n  Args:\n      a: one.\n      b: two.\n  '''", "Args"),
        ("def f(a):\n  '''Do.\n  Args:\n      a: no blank line before the section.\n  '''", "Args"),
        ("def f(a) -> int:\n  '''Do.\n\n  Args:\n      a: one.\n  '''", "Returns"),
        ("def f() -> int:\n  '''Do it.'''", "Returns"),
        ("def f() -> None:\n  '''Do.\n\n  Returns:\n      Nothing.\n  '''", "Returns"),
        ("def f(a) -> None:\n  '''Do.\n\n  Args:\n      a: one.\n  '''\n  raise ValueError(a)", "Raises"),
        ("@dataclass\nclass C:\n  '''It is.'''\n  a: int", "Attributes"),
        ("class C(StrEnum):\n  '''It is.'''\n  A = 'a'", "Attributes"),
        ("class C:\n  '''It is.'''\n  def __init__(self, a): ...", "Args"),
        ("class C:\n  '''It is.'''\n  @property\n  def a(self) -> int: ...", "no docstring"),
    ],
)
def test_what_is_missing_is_found(source: str, fault: str) -> None:
    [definition] = ast.parse(source).body
    assert isinstance(definition, Definition)
    [found] = faults(definition, "here")
    assert fault in found


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def faults_of(target: str) -> Iterator[str]:
    """What is missing in a module, in what it offers from others by its `__all__`, or in a class or function of one."""
    parts = target.split(".")
    while not (path := module_path(parts)).is_file():
        parts.pop()
    module, wanted = parsed(path), target.split(".")[len(parts) :]
    found = [node for node in public(module) if not wanted or node.name == wanted[0]]
    offered = [] if wanted else offered_from_others(module)
    assert found or offered, f"{target}: no such name in {path}"
    for node in found:
        yield from faults(node, f"{'.'.join(parts)}.{node.name}")
    for one in offered:
        yield from faults_of(one)


def offered_from_others(module: ast.Module) -> list[str]:
    """What a module imports and names in its `__all__`; constants are left out."""
    imported = {
        alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assigned = [node for node in module.body if isinstance(node, ast.Assign)]
    names = [
        name for node in assigned if ast.unparse(node.targets[0]) == "__all__" for name in ast.literal_eval(node.value)
    ]
    return [imported[name] for name in names if name in imported and not name.isupper()]


def module_path(parts: list[str]) -> Path:
    folder = ROOT.joinpath(*parts)
    return folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")


def public(node: ast.Module | ast.ClassDef) -> list[Definition]:
    return [one for one in node.body if isinstance(one, Definition) and not one.name.startswith("_")]


def faults(node: Definition, where: str) -> Iterator[str]:
    """What is missing in the docstring of a class or function, and in those of a class's methods."""
    doc = ast.get_docstring(node)
    if doc is None:
        yield f"{where}: no docstring"
    elif isinstance(node, ast.ClassDef):
        yield from faults_of_class(node, doc, where)
    else:
        yield from faults_of_function(node, doc, where)
    if isinstance(node, ast.ClassDef):
        for member in public(node):
            yield from faults(member, f"{where}.{member.name}")


def faults_of_class(node: ast.ClassDef, doc: str, where: str) -> Iterator[str]:
    fields = fields_of(node)
    if fields is not None:
        yield from difference("Attributes", fields, sections(doc), where)
    for method in node.body:
        if isinstance(method, Function) and method.name in ("__init__", "__post_init__"):
            merged = sections(doc) | sections(ast.get_docstring(method) or "")  # as the site does
            yield from faults_of_errors(method, merged, where)
            if method.name == "__init__":
                yield from difference("Args", arguments(method), merged, where)


def faults_of_function(node: Function, doc: str, where: str) -> Iterator[str]:
    found = sections(doc)
    yield from faults_of_errors(node, found, where)
    if not PROPERTIES & decorators(node):
        yield from difference("Args", arguments(node), found, where)
        yield from faults_of_returns(node, doc, where)


def faults_of_errors(node: Function, found: dict[str, str], where: str) -> Iterator[str]:
    """What is raised further down may be named as well."""
    missing = raised(node) - set(ENTRY.findall(found.get("Raises", "")))
    if missing:
        yield f"{where}: Raises: {', '.join(sorted(missing))}"


def faults_of_returns(node: Function, doc: str, where: str) -> Iterator[str]:
    said = {"Returns", "Yields"} & sections(doc).keys()
    if node.returns is None or ast.unparse(node.returns) == "None":
        if said:
            yield f"{where}: Returns, though it returns nothing"
    elif not said and (arguments(node) or not doc.startswith(SAYS_WHAT_IT_RETURNS)):
        yield f"{where}: no Returns"


def difference(section: str, expected: list[str], found: dict[str, str], where: str) -> Iterator[str]:
    named = ENTRY.findall(found.get(section, ""))
    if named != expected:
        yield f"{where}: {section}: expected {', '.join(expected) or 'none'} (found {', '.join(named) or 'none'})"


def sections(doc: str) -> dict[str, str]:
    """Of a docstring in google style, by heading."""
    parts = HEADING.split(doc)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def arguments(node: Function) -> list[str]:
    """In their order, with stars as in the signature, without `self` and `cls`."""
    of = node.args
    plain = [one.arg for one in (*of.posonlyargs, *of.args)]
    several = [f"*{of.vararg.arg}"] if of.vararg else []
    named = [one.arg for one in of.kwonlyargs] + ([f"**{of.kwarg.arg}"] if of.kwarg else [])
    return [*(plain[1:] if plain[:1] in (["self"], ["cls"]) else plain), *several, *named]


def raised(node: ast.AST) -> set[str]:
    """Errors that a function raises itself, without those that it catches."""
    if isinstance(node, ast.Raise):
        return {ast.unparse(node.exc.func)} if isinstance(node.exc, ast.Call) else set()
    caught = node.body if isinstance(node, ast.Try) and node.handlers else []
    return {name for child in ast.iter_child_nodes(node) if child not in caught for name in raised(child)}


def fields_of(node: ast.ClassDef) -> list[str] | None:
    """Of a dataclass, a named tuple or a typed dictionary, or the members of an enumeration; None of other classes."""
    bases = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
    if "dataclass" in decorators(node) or bases & RECORDS:
        targets = [one.target for one in node.body if isinstance(one, ast.AnnAssign)]
    elif bases & ENUMS:
        targets = [one.targets[0] for one in node.body if isinstance(one, ast.Assign)]
    else:
        return None
    return [one.id for one in targets if isinstance(one, ast.Name) and not one.id.startswith("_")]


def decorators(node: Definition) -> set[str]:
    called = (one.func if isinstance(one, ast.Call) else one for one in node.decorator_list)
    return {ast.unparse(one).rpartition(".")[2] for one in called}

from rich.console import Console
from rich.text import Text

from comphy.programs.program import parse
from comphy.programs.trace_text import TraceStep, numbered, shortened, steps_table


def test_steps_are_numbered_in_the_order_of_execution():
    program = parse(["events", "objects", "red", "filter_color", "unique", "filter_collision", "count"])
    found = [(node.call, number, takes) for node, number, takes in numbered(program, first=3)]
    assert found == [
        ("events", 3, ()),
        ("objects", 4, ()),
        ("filter_color red", 5, (4,)),
        ("unique", 6, (5,)),
        ("filter_collision", 7, (3, 6)),
        ("count", 8, (7,)),
    ]


def test_long_lists_are_cut_to_so_many_lines():
    assert shortened("abc", 3) == (["a", "b", "c"], [])
    assert shortened("abcd", 3) == (["a", "b"], ["… and 2 more"])
    assert shortened("abcd", None) == (["a", "b", "c", "d"], [])


def test_a_step_says_what_it_takes_unless_that_is_the_step_before():
    steps = [TraceStep(1, "objects", (), ()), TraceStep(2, "unique", (1,), ()), TraceStep(3, "x", (1, 2), ())]
    console = Console(width=60)
    with console.capture() as printed:
        console.print(steps_table(((step, Text("result")) for step in steps), 20))
    assert [line.split() for line in printed.get().splitlines()] == [
        ["1", "objects", "result"],
        ["2", "unique", "result"],
        ["3", "x", "of", "1,", "2", "result"],
    ]

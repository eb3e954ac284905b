"""`comphy phyre`: puzzles that are solved by placing one or two balls. Read `looking`, then `tasks`, then `agents`."""

from comphy.cli.phyre.agents import compare, diversity, evaluate, simulate
from comphy.cli.phyre.looking import gif, play, sheet
from comphy.cli.phyre.tasks import build, check
from comphy.command import build_app

app = build_app(
    play,
    gif,
    sheet,
    simulate,
    evaluate,
    compare,
    diversity,
    build,
    check,
    about="PHYRE: puzzles that are solved by placing one or two balls.\n\nExample: comphy phyre play",
)

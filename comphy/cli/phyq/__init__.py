"""`comphy phyq`: shoot birds at pigs, 15 physical scenarios. Read `looking`, then `tasks`, `simulation` (what agents learn
from), `evaluation` and `comparison`."""

from comphy.cli.phyq.comparison import compare
from comphy.cli.phyq.evaluation import evaluate
from comphy.cli.phyq.looking import gif, level, play, sheet, solve
from comphy.cli.phyq.simulation import simulate
from comphy.cli.phyq.tasks import build, check, write
from comphy.command import build_app

app = build_app(
    play,
    sheet,
    level,
    gif,
    solve,
    build,
    check,
    write,
    simulate,
    evaluate,
    compare,
    about="Phy-Q: shoot birds at pigs, 15 physical scenarios.\n\nExample: comphy phyq play",
)

"""`comphy phyq`: shoot birds at pigs, 15 physical scenarios. Read `looking`, then `tasks`, `simulation` (what agents learn
from), `training`, `evaluation`, `comparison` and `calibration`."""

from comphy.cli.phyq.calibration import calibrate
from comphy.cli.phyq.comparison import compare
from comphy.cli.phyq.evaluation import evaluate
from comphy.cli.phyq.looking import gif, level, play, sheet, solve
from comphy.cli.phyq.simulation import simulate
from comphy.cli.phyq.tasks import build, check, import_levels, write
from comphy.cli.phyq.training import train_all
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
    import_levels,
    simulate,
    train_all,
    evaluate,
    compare,
    calibrate,
    about="Phy-Q: shoot birds at pigs, 15 physical scenarios.\n\nExample: comphy phyq play",
)

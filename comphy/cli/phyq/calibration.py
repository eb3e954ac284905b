"""How hard Phy-Q is here and as published, for two players that know no physics."""

from typing import Annotated

import typer

from comphy.command import console, progress_bar


def calibrate(
    plays: Annotated[int, typer.Option(min=4, help="Of the random player, on each test template.")] = 100,
    shots: Annotated[int, typer.Option(min=4, help="Plays of Pig Shooter, on each template.")] = 20,
    scenario: Annotated[list[int] | None, typer.Option(min=1, max=15, help="Only this one; repeatable.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same plays.")] = 0,
) -> None:
    """Print the win rates of the random player and of Pig Shooter beside the published ones.

    Example: comphy phyq calibrate --plays 100
    """
    from rich.table import Table

    from comphy.evaluation.intervals import wilson
    from comphy.evaluation.puzzles.phyq.score import RANDOM_RATES
    from comphy.evaluation.qa.tables import in_full
    from comphy.puzzles.phyq.templates.published import SCENARIOS
    from comphy.sim.bullet import Engine
    from data_gen.phyq.calibration import PIG_SHOOTER, pig_shooter_rate, random_rate

    table = Table("scenario", "random: plays", "won", "95 %", "published", "Pig Shooter: plays", "won", "published")
    chosen = scenario or list(range(1, len(SCENARIOS) + 1))
    means = []
    with Engine() as engine, progress_bar() as bar:
        row = bar.add_task("playing", total=len(chosen))
        for number in chosen:
            wins, count = random_rate(number, plays, engine, seed).total
            low, high = wilson(wins / count, count)
            hits, tries = pig_shooter_rate(number, shots, engine, seed).total
            right, published = PIG_SHOOTER[number]
            means.append((wins / count, RANDOM_RATES[number - 1]))
            table.add_row(
                f"{number} {SCENARIOS[number - 1]}",
                str(count),
                f"{wins / count:.3f}",
                f"{low:.3f}-{high:.3f}",
                f"{RANDOM_RATES[number - 1]:.3f}",
                str(tries),
                f"{hits / tries:.2f}",
                f"{right / published:.2f}",
            )
            bar.advance(row)
    here, there = (sum(column) / len(means) for column in zip(*means, strict=True))
    table.add_row("mean", "", f"{here:.3f}", "", f"{there:.3f}")
    console.print(in_full(table))

"""What an imagining agent expected where it lost, against results written by hand."""

import json
from pathlib import Path

from tools.figures.phyq_losses import losses, table


def task(won: int, first: str) -> dict[str, object]:
    log = [
        [f"imagined win: 27.068,1.000 ({first}, 282 games imagined)", "imagined win: 1.000", "won" if won else "lost"]
    ]
    return {"level": "0", "won": won, "plays": 1, "seconds": 1.0, "imagined": 282.0, "log": log}


def test_lost_tasks_by_what_was_expected_of_the_first_shot(tmp_path: Path) -> None:
    tasks = {
        "1.4:081": task(1, "wins in 0 of 9 scenes"),  # won: not counted
        "5.5:081": task(0, "wins in 3 of 5 scenes"),
        "5.5:082": task(0, "wins in 9 of 9 scenes"),
        "13.5:081": task(0, "wins in 4 of 9 scenes"),
        "11.4:081": task(0, "wins in 0 of 9 scenes"),
        "11.4:082": task(0, "no pig comes to harm"),
    }
    facts = {
        "format": 1,
        "agent": "imaginer",
        "kind": "heuristic",
        "setup": "broad",
        "plays": 1,
        "seed": 0,
        "levels": "0",
    }
    (tmp_path / "result.json").write_text(json.dumps({**facts, "remarks": [], "tasks": tasks}))
    lost = losses(tmp_path / "result.json")
    assert lost == {"most": {"5.5": 2}, "some": {"13.5": 1}, "none": {"11.4": 2}}
    assert "| most | 2 | 2 of 5.5 |" in table(lost)

"""What one of several processes does and sees; run by test_processes.py, which reads what each has written."""

import json
import sys
from pathlib import Path

import torch
from torch import nn

from comphy.errors import ConfigError
from models.tasks import load_task, train
from models.train.metrics import MetricLog
from models.train.processes import averaged, leads, led, share_gradients, share_weights, team
from models.train.run import Run


def main(out: Path) -> None:
    number = team().process_index
    model = nn.Linear(1, 3)
    nn.init.constant_(model.weight, number + 5.0)
    share_weights(model)
    taught = [nn.Parameter(torch.zeros(2)) for _ in range(3)]
    taught[0].grad = torch.tensor([1.0, 2.0]) * (number + 1)
    if number == 1:
        taught[1].grad = torch.full((2,), 4.0)
    share_gradients(taught)
    led(lambda: (out / "by_the_leader.txt").write_text(f"process {number}\n"))
    with MetricLog(out, 0) as log:
        log.log(1, {"process": number})
    seen = {
        "leads": leads(),
        "processes": team().num_processes,
        "told": led(lambda: number),
        "file": (out / "by_the_leader.txt").read_text(),
        "mean": averaged(number + 1.0),
        "weights": model.weight.flatten().tolist(),
        "gradients": [None if one.grad is None else one.grad.tolist() for one in taught],
        "refused": refusal(Run(out, out / "run")),
    }
    (out / f"process_{number}.json").write_text(json.dumps(seen))


def refusal(run: Run) -> str:
    """Of a task that cannot be shared."""
    try:
        train(*load_task(Path("configs/baselines/random.yaml")), run)
    except ConfigError as error:
        return str(error)
    return ""


if __name__ == "__main__":
    main(Path(sys.argv[1]))

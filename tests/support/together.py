"""What one of several processes does and sees; run by test_distributed.py, which reads what each has written."""

import json
import sys
from pathlib import Path

import torch
from torch import nn

from comphy.errors import ConfigError
from models.tasks import load_task, train
from models.train.distributed import average_gradients, broadcast_weights, is_main, mean_over_processes, on_main, state
from models.train.metrics import MetricLog
from models.train.run import Run


def main(out: Path) -> None:
    number = state().process_index
    model = nn.Linear(1, 3)
    nn.init.constant_(model.weight, number + 5.0)
    broadcast_weights(model)
    trained = [nn.Parameter(torch.zeros(2)) for _ in range(3)]
    trained[0].grad = torch.tensor([1.0, 2.0]) * (number + 1)
    if number == 1:
        trained[1].grad = torch.full((2,), 4.0)
    average_gradients(trained)
    on_main(lambda: (out / "by_the_main_process.txt").write_text(f"process {number}\n"))
    with MetricLog(out, 0) as log:
        log.log(1, {"process": number})
    seen = {
        "is_main": is_main(),
        "processes": state().num_processes,
        "result": on_main(lambda: number),
        "file": (out / "by_the_main_process.txt").read_text(),
        "mean": mean_over_processes(number + 1.0),
        "weights": model.weight.flatten().tolist(),
        "gradients": [None if one.grad is None else one.grad.tolist() for one in trained],
        "refused": refusal(Run(out, out / "run")),
    }
    (out / f"process_{number}.json").write_text(json.dumps(seen))


def refusal(run: Run) -> str:
    """What is said of a task for one process."""
    try:
        train(*load_task(Path("configs/baselines/random.yaml")), run)
    except ConfigError as error:
        return str(error)
    return ""


if __name__ == "__main__":
    main(Path(sys.argv[1]))

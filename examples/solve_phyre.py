"""Solve a PHYRE task by trying random balls.

python examples/solve_phyre.py 00000:000
"""

import sys

import numpy as np

from comphy.puzzles.phyre import initialize_simulator


def main(task: str, attempts: int = 1000) -> None:
    rng = np.random.default_rng(0)
    with initialize_simulator([task], "ball") as simulator:
        alone = simulator.simulate_action(0, None)
        print(f"{task} by itself: {alone.status.name}")
        for attempt in range(1, attempts + 1):
            action = rng.random(3).round(3)  # x, y and radius, each from 0 to 1
            if simulator.simulate_action(0, action).status.is_solved():
                x, y, radius = action
                print(f"solved by attempt {attempt}: comphy phyre gif {task} --action {x},{y},{radius}")
                return
    print(f"not solved in {attempts} attempts")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "00000:000")

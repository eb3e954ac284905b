"""What `comphy evaluate --stress` does: every row, shown as it goes, and files that hold what there is so far."""

from collections.abc import Sequence
from typing import Any, Final

from comphy.command import console, progress_bar
from comphy.files import write_bytes, write_json
from comphy.toolkit.stress.conditions import Condition
from comphy.toolkit.stress.running import StressRow, StressTest
from comphy.toolkit.stress.tables import markdown, record, stress_table

JSON: Final = "stress.json"
MARKDOWN: Final = "stress.md"


def run_stress(test: StressTest, conditions: Sequence[Condition]) -> dict[str, Any]:
    """Answer under all conditions; print the table and write it into the test's folder, also while rows are missing."""
    rows: list[StressRow] = []
    left_out: dict[str, str] = {}
    about = {"run": str(test.run), "data": str(test.data), "split": test.split}
    with progress_bar() as progress:
        task = progress.add_task("answering", total=len(conditions))

        def report(condition: Condition, done: int, total: int) -> None:
            told = f"{condition.name}: {done} of {total} sets perceived"
            progress.update(task, description=told, completed=len(rows) + len(left_out) + done / (total + 1))

        for found in test.rows(conditions, report):
            if isinstance(found, StressRow):
                rows.append(found)
            else:
                left_out[found[0].name] = found[1]
            progress.update(task, completed=len(rows) + len(left_out))
            write_json(test.out / JSON, record(rows, left_out, about), indent=1)
            write_bytes(test.out / MARKDOWN, markdown(rows, left_out).encode())
    console.print(stress_table(rows))
    for name, why in left_out.items():
        console.print(f"{name} is left out: {why}", highlight=False)
    console.print(f"Table: {test.out / MARKDOWN} and {test.out / JSON}; answers and features: {test.out}/ROW/.")
    return record(rows, left_out, about)

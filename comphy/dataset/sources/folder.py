"""The folder of a source; what is in it, `opening` tells. This imports nothing, so that a wrong name is told at once."""

from pathlib import Path

from comphy.errors import DatasetError


def require_folder(root: str | Path) -> Path:
    """Raises `DatasetError` if there is none."""
    folder = Path(root)
    if not folder.is_dir():
        raise DatasetError(f"{folder}: no such folder. Make a dataset with: comphy generate comphy --out {folder}")
    return folder

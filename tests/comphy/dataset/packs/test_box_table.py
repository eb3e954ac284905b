from pathlib import Path

import numpy as np
import pytest

from comphy.dataset import layout
from comphy.dataset.annotations.extras import read_extras
from comphy.dataset.packs.boxes import BOX_STEP, BoxTable, decode_boxes
from comphy.errors import DatasetError

pytestmark = pytest.mark.bullet


def test_the_table_holds_what_the_extras_say(small_dataset: Path) -> None:
    table = BoxTable(small_dataset / layout.BOXES)
    assert table.sets() == [0, 1, 2, 3]
    for index in table.sets():
        extras = read_extras(small_dataset / layout.extras(index))
        for name, video in (("target", extras.target), ("reference_2", extras.references[2])):
            found = table.video(f"{index:05d}/{name}")
            shown = min(125, len(video.boxes))
            np.testing.assert_allclose(found.boxes, video.boxes[:shown], atol=BOX_STEP)
            np.testing.assert_allclose(found.visibility, video.visibility[:shown], atol=0.005)
    size = (small_dataset / layout.BOXES).stat().st_size
    assert size < 10_000 * len(table.sets()), "it has to travel"


def test_damage_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="the boxes are damaged"):
        decode_boxes(b"nonsense", "here")
    with pytest.raises(DatasetError, match="missing"):
        BoxTable(tmp_path / "none.pack")

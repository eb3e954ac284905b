"""A Ray that cannot be had is told in a sentence."""

import pytest
import ray

from comphy.cluster import run_on_ray
from comphy.errors import ComphyError


def test_a_ray_that_takes_too_long_to_start_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine it gives up after 30 s, with an exception of no type of its own."""

    def overloaded(**options: object) -> None:
        raise Exception("The current node timed out during startup.")

    monkeypatch.setattr(ray, "init", overloaded)
    with pytest.raises(ComphyError, match=r"Ray does not start here \(The current node timed out.*without --ray"):
        list(run_on_ray(object, (), [1], 1, "local"))

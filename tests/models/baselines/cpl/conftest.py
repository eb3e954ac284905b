"""The dozen sets of PCR's tests."""

from tests.models.pcr.conftest import dozen, dozen_cache  # noqa: F401

"""The browser of tests."""

from comphy.toolkit.chromium import Page, chromium

__all__ = ["Page", "chromium"]

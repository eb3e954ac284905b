"""PHYRE in the browser: `game` (the engine behind it), `answers` (what the page can ask for), and its part of the `page`."""

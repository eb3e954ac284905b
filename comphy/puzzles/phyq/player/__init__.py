"""Phy-Q in the browser: `recording` (how everything moves in a game), `shots` (what a page may shoot), `game` (the engine
behind it), `scene` (levels as the page draws them), `answers` (what the page can ask for), and its part of the `page`."""

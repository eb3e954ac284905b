"""Puzzles in a vertical plane: `phyre` (place balls) and `phyq` (shoot birds); `player` shows both in the browser."""

"""Puzzles in a vertical plane: `phyre` (place balls) and `phyq` (shoot birds); `player` shows both in the browser.

`stored_results` tells to which engine and game a folder of simulated results belongs."""

"""The page that all puzzles share, as the browser gets it: its skeleton, and scripts that a puzzle's own `main.js` imports."""

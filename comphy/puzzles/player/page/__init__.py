"""The page that all puzzles share: its skeleton, and scripts that a puzzle's own `main.js` imports."""

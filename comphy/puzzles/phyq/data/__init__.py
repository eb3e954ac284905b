"""The 75 templates; `comphy.puzzles.phyq.templates` reads them."""

"""The 75 templates; `comphy.puzzles.phyq.templates.published` reads them."""

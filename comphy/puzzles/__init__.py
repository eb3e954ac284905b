"""Puzzle benchmarks in a vertical plane: `phyre` (place balls) and `phyq` (shoot birds); `paper` draws for both."""

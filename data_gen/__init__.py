"""Makes datasets: sample scenes, simulate, render, write."""

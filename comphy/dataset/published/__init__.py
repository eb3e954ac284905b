"""Readers of other published datasets: `clevrer` (CLEVRER's questions and annotations), `clevrer_runs` (its predictions)."""

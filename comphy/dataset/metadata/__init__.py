"""What describes a dataset to others: its `card` and its `croissant` record."""

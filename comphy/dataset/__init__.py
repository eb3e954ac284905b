"""The on-disk format of video sets: write, read, check; frame sources."""

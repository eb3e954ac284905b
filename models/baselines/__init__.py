"""Models to measure others against: those that look at the words alone, and those that look at the video, too."""

"""From pixels to objects: detect them in every frame, track them through each video, align them across a set."""

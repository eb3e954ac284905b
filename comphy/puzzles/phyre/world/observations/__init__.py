"""What is seen of a scene or a run: `observation` (images), `features` (objects as vectors), and `closeness` (how close a
failed attempt came to its goal)."""

"""The dataset card: a README for people who find the folder without the toolkit."""

from comphy.dataset import layout
from comphy.dataset.manifest import Recipe


def card_text(recipe: Recipe, sets: int) -> str:
    counts = ", ".join(f"{sum(layout.split_of(i) == name for i in range(sets))} {name}" for name in layout.SPLITS)
    rendered = recipe.renderer != "none"
    videos = _VIDEO_TREE if rendered else ""
    return f"""---
pretty_name: ComPhy (regenerated)
task_categories: [video-classification, visual-question-answering]
tags: [physical-reasoning, video, synthetic, physics]
---
# ComPhy video sets and questions

{sets} video sets ({counts}). Each set is one **target** video of 5 s and four **reference** videos of 2 s in which objects
with hidden mass and charge move on a table, collide, attract and repel. Made by the `comphy` toolkit (Bullet physics)
with seed {recipe.seed}; frames: {recipe.renderer}.

## Files
```
manifest.json                                            recipe, versions, splits, SHA-256 of every file
train.json, val.json, test.json, test_answers.json       questions and programs; test_answers.json is test.json with answers
target_annotation/annotation_00000_01000/00000.json      the public ComPhy release's format, 175 frames
reference_annotation/annotation_00000_01000/00000/0.json … 3.json     50 frames each
{videos}extras/extras_00000_01000/00000.json                     family, events, boxes, visibility, counterfactual collisions
extras/rollouts_00000_01000/00000.pack                   compact trajectories, counterfactual runs included
extras/questions/train.json, val.json, test.json         each question's template and the frames that show what it asks about
rollouts.pack                                            trajectories of all videos in one file, to render elsewhere
boxes.pack                                               boxes and visibility of all videos in one file, to train elsewhere
croissant.json                                           machine-readable description
```

## What is annotated
- `object_property`: colour, shape, material, and the hidden `mass` (1 or 5) and `charge` (-1, 0, 1) of each object.
- `motion_trajectory`: location, orientation (Euler angles, radians), velocity and angular velocity of each object at 25
  frames a second. Of a target, frames 0-124 are shown; frames 125-174 are the hidden future.
- `collision`: the engine step (250 a second, ten a frame) at which a pair first touches.
- Questions: factual (answer in words), predictive and counterfactual (choices, each correct or wrong), with programs.
- One counterfactual run per object and changed property: heavier or lighter, uncharged, oppositely charged.

## Intended use and limits
For research on physical reasoning from video. Scenes are synthetic: rigid objects of one size and two masses on a plane.
Splits are fixed by the set's number: of every six consecutive sets four are train, one val, one test.
"""


_VIDEO_TREE = """target_video/video_00000_01000/sim_00000.mp4             H.264, 25 fps, 125 frames
reference_video/video_00000_01000/sim_00000_0.mp4 … _3   50 frames each
extras/masks_00000_01000/00000.npz                       instance masks of the five videos, run-length encoded
"""

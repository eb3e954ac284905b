"""Shots that win a level: `solving` finds some by trying, for anyone who asks. Certified ones are found by `aims` (shots as
a template sees them), `aim_of_shot`, `shot_by_shot` (of several birds) and `search`, which brings them together."""

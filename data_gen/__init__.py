"""Makes datasets: `sampling/` draws scenes, `renderers/` draw frames, `jobs/` make sets in parallel and ask the questions.

`config` says what a dataset is made of, `frames` draws or decodes frames for training, `stability/` measures how
well-posed questions are, `preview/` shows a dataset to people, `phyre/` and `phyq/` make the puzzles' task lists, which
`task_lists` shares out over processes.
"""

"""Questions of a page. `asking` gives them to processes, whose work is in `in_process`; `steps` tells what the truth says,
`replies` what a model says, `seen` what it saw, and `clips` keeps the films of what it imagines."""

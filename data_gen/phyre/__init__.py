"""Makes PHYRE's task lists: `search` and `climbing` (hill climbing) find solutions, `selection` chooses tasks by
`difficulty`, `building` does so for all templates, `certifying` proves a list, `mending` repairs it, and `diversity` shows
how alike solutions are."""

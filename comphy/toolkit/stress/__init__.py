"""How well a reasoner answers when its frames are not those it learned from.

`frames` says what may happen to frames, `conditions` is the list of rows, `running` perceives and answers under each of
them, and `tables` shows what came out."""

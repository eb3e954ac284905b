"""The world of Phy-Q: `constants` and `catalog`, a `level` as data, its `physics`, how birds are `launch`ed, what blows
`damage`, and the `game` that runs it all. Read them in this order."""

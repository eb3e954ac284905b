"""Agents under test: their `config`, `preparing` (trained or told what they may know), the `referee` of their attempts,
`playing` of one task after the other, and the whole `evaluation`."""

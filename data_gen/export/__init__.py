"""Writes our sets in other people's layouts: `layouts` says where files go, `records` how annotations are written,
`questions` what can be asked there, and `job` does it."""

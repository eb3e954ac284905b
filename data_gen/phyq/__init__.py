"""Makes the tasks of Phy-Q. `solving` searches for shots that win a level. Read `aims` and `rules`, then `certify`,
`search`, `build` and `repair`. `plain_players` and `calibration` compare the game with the published one."""

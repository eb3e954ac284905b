"""Makes the tasks of Phy-Q. Read `rules` and `solutions`, then `certify`, `candidates`, `build` and `repair`. For levels
that others chose there are `import_levels` and `from_list`. `plain_players` and `calibration` compare the game with the
published one."""

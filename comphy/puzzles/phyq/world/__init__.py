"""The world of Phy-Q. Read `constants`, `catalog` (blocks, pigs and birds), `level` (the data model), `physics` (bodies of
the engine), `launch` (ballistics), `damage` and `game` (the rules) in this order."""

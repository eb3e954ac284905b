"""What agents see. Read `scene` (what is on the screen, with or without noise) and its colours (`color_map`), then the
published `symbolic` form, `observed_game` (all of a game's state) and `observations`, which have it all by name."""

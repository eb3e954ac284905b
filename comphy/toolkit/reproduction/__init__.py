"""From nothing to trained weights and the tables of what they reach, in steps that are each one command.

Read `config` (what is made), `steps` (the commands) and `run` (one after the other) first. `journal` knows which steps are
done, `processes` runs their commands, `reports` reads what was measured and chooses a seed, `tables` and `card` write it
down, and `packing` puts the weights together."""

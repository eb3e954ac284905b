"""What the larger commands do once their options are known. These modules name `data_gen` and `models` freely: a command
imports them inside its function, never before, so that `--help` stays light."""

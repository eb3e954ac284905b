"""What runs answered. `runs` opens them, `answers` compares their answers to a split, `confusion` counts what they take for
what, and `figures` reads what training and evaluation wrote into their folders."""

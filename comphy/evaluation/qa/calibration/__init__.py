"""Whether confident answers are right as often as they claim. Read `calibration`; `tables` and `plots` show its counts."""

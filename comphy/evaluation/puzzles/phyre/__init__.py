"""Results of PHYRE's agents: read `results` (files, brought together by folds), then their `tables` and `plots`."""

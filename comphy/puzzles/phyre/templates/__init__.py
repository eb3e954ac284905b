"""The fifty templates of PHYRE, one in a file: 25 for one ball, 25 for two."""

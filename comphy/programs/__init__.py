"""The question language: a typed table of operators, programs as data, and their exact execution on annotations."""

"""The semantic parser: translates English questions and choices into well-typed programs."""

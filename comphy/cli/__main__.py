"""`python -m comphy.cli` is the command `comphy`."""

from comphy.cli.app import main

main()

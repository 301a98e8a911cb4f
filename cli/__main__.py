"""`python -m cli` is `rounds`."""

from cli.main import main

main()

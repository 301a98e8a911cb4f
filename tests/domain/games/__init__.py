"""Rule tests of the games, each in a module of its own, named by the sections of its text."""

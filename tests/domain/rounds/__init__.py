"""The rules of a round, tested without a store: a history, a command, and what follows from it."""

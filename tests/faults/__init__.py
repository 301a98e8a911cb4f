"""What may go wrong, done to the program on purpose; `python -m tests.faults` plays it from a seed.

A nursery forks real processes of the program, a plan says what befalls one of them, and a naive model says after each
what must be true of the ledger.
"""

"""Counts over every hand, run on demand: `python -m tests.exhaustive.seven_card`, `python -m tests.exhaustive.house_way`."""

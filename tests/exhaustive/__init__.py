"""What is counted over every hand, on demand: `python -m tests.exhaustive.seven_card` and `… .house_way`."""

"""A second opinion on every cent: the rules written again from their texts alone, plain and slow, sharing no code.

It reads what a table sent and which of it was recorded, and works out hands, settings, fouls, lines, shares of meters
and totals from the law, the rulings and the contract. `python -m tests.oracle` compares as many rounds as asked.
"""

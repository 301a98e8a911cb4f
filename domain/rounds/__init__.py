"""The round: its events, its state, what may happen next and what each wager is worth in the end."""

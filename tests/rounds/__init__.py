"""Recorded rounds: one feed for each game, and what the product answers to it."""

"""Simulated play: rooms of tables, dealt fairly from a seed and recorded as a table system would send it."""

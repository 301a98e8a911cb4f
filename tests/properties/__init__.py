"""Properties over random play: whatever happens at the tables, the books balance and a second look finds the same."""

"""A replayed round as people see it: drawn on a terminal, told line by line, stepped through, or as a page."""

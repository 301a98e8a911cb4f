"""Pages in a real browser; `make browser` runs them, for a machine that has a Chromium."""

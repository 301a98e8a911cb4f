"""Exact odds held against counts made another way, and against the edges that others printed."""

"""Conformance cases: recorded feeds with what the product must answer, and what plays and compares them."""

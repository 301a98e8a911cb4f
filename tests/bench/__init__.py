"""Measuring sticks: how fast the product is beside the bare means it stands on, compared within one run only."""

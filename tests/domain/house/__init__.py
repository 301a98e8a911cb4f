"""The rules around the rounds: properties, sheets, shufflers, chips and meters."""

"""Pure rules of the table games: cards, rankings, sheets, rounds and meters. Imports the standard library only."""

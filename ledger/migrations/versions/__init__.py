"""One module a step; its revision is the schema version that it leads to, in four digits."""

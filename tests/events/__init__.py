"""A stored sample of every version of every event, `<name>.<version>.json`: the bytes as they stand in a ledger."""

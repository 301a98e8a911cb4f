"""The event store and the only way to write to it: `ledger.service.Ledger`.

Nothing is imported here, so that `ledger.settings` and `ledger.errors` cost nothing to a command that opens no store.
"""

"""The steps from one schema of a store to the next, in the form of Alembic; `ledger.upgrade` takes them."""

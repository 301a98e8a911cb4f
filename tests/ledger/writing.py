"""Plays rounds at a table in a process of its own: `python -m tests.ledger.writing URL TABLE ROUNDS`."""

from __future__ import annotations

import sys

from tests.ledger.play import a_round, hand_in, ledger_at, property_opened


def main() -> None:
    url, table, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with ledger_at(url) as ledger:
        ledger.submit(hand_in(property_opened()))
        for number in range(rounds):
            group = hand_in(*a_round(table * 1000 + number, f"T{table}"))
            for receipt in ledger.submit(group):
                print(receipt.command_id, receipt.status, receipt.position, flush=True)


if __name__ == "__main__":
    main()

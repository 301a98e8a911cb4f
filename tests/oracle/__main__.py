"""`python -m tests.oracle --rounds 20000 --seed 1 [--game G]`: that many rounds of each game, or of one, compared.

It stops at the first disagreement and prints the round's commands, what the product says and in what it differs.
"""

import argparse
import json
import sys
from collections import Counter

from tests.oracle.batches import GAMES, Batch, batches
from tests.oracle.recorded import Disagreement


def tell(batch: Batch, found: Disagreement) -> None:
    """Everything needed to judge who is wrong."""
    print(f"\n{batch}\n{found.about}")
    for command in found.commands or []:
        print(json.dumps(command))
    if found.document is not None:
        sheet = {key: found.document[key] for key in ("game", "sheet", "bank", "dealer", "seats", "lines", "totals")}
        print(json.dumps(sheet, indent=1))
    for difference in found.differences:
        print(f"- {difference}")


def main() -> int:
    """Answers 0 where both opinions agree everywhere."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracle", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1000, help="how many of each game (default: 1,000)")
    parser.add_argument("--seed", type=int, default=1, help="of the first feed (default: 1)")
    parser.add_argument("--game", choices=GAMES, help="one game (default: all six)")
    options = parser.parse_args()
    seen: Counter[str] = Counter()
    for game in [options.game] if options.game else GAMES:
        for batch in batches(game, options.rounds, options.seed):
            for found in batch.disagreements(seen):
                tell(batch, found)
                return 1
            print(f"{batch.game}: {batch.kind}, seed {batch.seed}: agreed", file=sys.stderr, flush=True)
    for what, count in sorted(seen.items()):
        print(f"{count:>9,}  {what}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

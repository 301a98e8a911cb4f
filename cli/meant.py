"""What may have been meant by a name that is none of those that there are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cli.tables import clean

if TYPE_CHECKING:
    from ledger.service import Ledger


def did_you_mean(near: Sequence[str], otherwise: str) -> str:
    """The names that may have been meant; `otherwise` where none is near.

    >>> did_you_mean(["PG01", "PG02"], "see `rounds list`"), did_you_mean([], "see `rounds list`")
    ('did you mean PG01 or PG02?', 'see `rounds list`')
    """
    return f"did you mean {' or '.join(near)}?" if near else otherwise


def meant_round(ledger: Ledger, key: str) -> str:
    """The rounds that may have been meant by a key that none has."""
    from projections.rounds import similar_rounds

    near = similar_rounds(ledger, key)
    return f"did you mean {', '.join(map(clean, near))}?" if near else "`rounds list` shows what there is"


def meant(name: str, known: Iterable[str]) -> str:
    """The names nearest to `name`, whatever its capitals; where none is near, all of them.

    >>> meant("Fortun", ["fortune", "face_up"]), meant("poker", ["fortune", "face_up"])
    ('did you mean fortune?', 'there are fortune, face_up')
    """
    from difflib import get_close_matches

    names = list(dict.fromkeys(known))
    by_plain = {each.casefold(): each for each in names}
    near = get_close_matches(name.casefold(), by_plain, n=3, cutoff=0.7)
    every = f"there are {', '.join(names)}" if names else "there are none yet"
    return did_you_mean([by_plain[each] for each in near], every)

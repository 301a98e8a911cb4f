"""What may have been meant by a name that is none of those that there are."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def meant(name: str, known: Iterable[str]) -> str:
    """The names nearest to `name`, whatever its capitals; where none is near, all of them.

    >>> meant("Fortun", ["fortune", "face_up"]), meant("poker", ["fortune", "face_up"])
    ('did you mean fortune?', 'there are fortune, face_up')
    """
    names = list(dict.fromkeys(known))
    by_plain = {each.casefold(): each for each in names}
    near = get_close_matches(name.casefold(), by_plain, n=3, cutoff=0.7)
    if near:
        return f"did you mean {' or '.join(by_plain[each] for each in near)}?"
    return f"there are {', '.join(names)}" if names else "there are none yet"

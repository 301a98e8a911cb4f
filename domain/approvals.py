"""Who may approve: enough different people, never the command's author or the round's dealer."""

from __future__ import annotations

from collections.abc import Collection

from domain.errors import ApprovalInsufficient


def require_approval(approved_by: Collection[str], *, by: str, dealer: str | None = None, people: int = 1) -> None:
    """Refuses unless `people` different persons approved, none of them `by` or `dealer`.

    >>> require_approval(("F1", "M1"), by="D7", dealer="D1", people=2)
    """
    for approver in approved_by:
        if approver == by:
            raise ApprovalInsufficient(f"{approver} gave the command and can't approve it; name another approver")
        if approver == dealer:
            raise ApprovalInsufficient(f"{approver} is the round's dealer and can't approve it; name another approver")
    if len(set(approved_by)) < people:
        raise ApprovalInsufficient(
            f"approved by {', '.join(approved_by) or 'nobody'}: {people} different people are needed"
        )

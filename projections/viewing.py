"""Who sees which cards: surveillance all of them, the dealer and a seat what lies face up for them at that moment."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from domain.cards import Card, Hand, show
from domain.games import game
from domain.rounds.events import HOUSE, Finding
from domain.rounds.state import Round
from ledger.errors import LedgerError
from projections.finding_words import in_words

UNSEEN = "??"


class NoSuchViewer(LedgerError):
    """Nobody of that name looks at a round."""

    code: ClassVar[str] = "replay.no-such-viewer"
    exit_code: ClassVar[int] = 2


@dataclass(frozen=True, slots=True)
class Viewer:
    """Whose eyes a round is seen with: a seat's, the dealer's (0), or surveillance's (None), which see every card."""

    seat: int | None = None

    @property
    def name(self) -> str:
        if self.seat is None:
            return "surveillance"
        return "dealer" if self.seat == HOUSE else f"seat:{self.seat}"

    def sees(self, spot: int, card: Card, round_: Round) -> bool:
        """Whether the viewer sees this card of this spot as the round stands."""
        return self.seat is None or self.sees_hand(spot, round_) or (spot, card) in round_.exposed

    def sees_hand(self, spot: int, round_: Round) -> bool:
        """Whether the viewer sees all cards of this spot."""
        return self.seat is None or self._holds(spot, round_) or _is_turned(spot, round_)

    def _holds(self, spot: int, round_: Round) -> bool:
        if self.seat != HOUSE:
            return spot == self.seat
        # The dealer turns the dealer's cards last, but sets a hand the house way where a player asks for it.
        held = round_.set_hands.get(spot)
        return held is not None and held.set_by != "player"

    def show(self, spot: int, cards: Iterable[Card], round_: Round) -> str:
        """The cards as `show` writes them, with `??` for those that the viewer does not see."""
        return " ".join(show((card,)) if self.sees(spot, card, round_) else UNSEEN for card in cards)

    def show_stub(self, cards: Hand) -> str:
        """The cards that were left; nobody at the table ever sees them."""
        return show(cards) if self.seat is None else " ".join([UNSEEN] * len(cards))

    def told(self, finding: Finding, round_: Round) -> bool:
        """Whether the viewer may hear of a finding: of a foul only where he sees the hand."""
        if finding.code != "hand.foul" or finding.seat is None:
            return True
        return self.sees_hand(finding.seat, round_)

    def text_of(self, finding: Finding) -> str:
        """A finding's text, without naming a card that he need not have seen."""
        if self.seat is not None and finding.code == "deal.duplicate-card":
            return "a card is there more than once"
        return in_words(finding.code, finding.text)


SURVEILLANCE = Viewer()


def viewer(text: str) -> Viewer:
    """The viewer that `surveillance`, `dealer` or `seat:N` names; NoSuchViewer for anything else.

    >>> viewer("seat:3").name, viewer("dealer").name
    ('seat:3', 'dealer')
    """
    kind, _, number = text.partition(":")
    if text == "surveillance":
        return SURVEILLANCE
    if text == "dealer":
        return Viewer(HOUSE)
    if kind == "seat" and number.isascii() and number.isdigit() and int(number) > 0:
        return Viewer(int(number))
    raise NoSuchViewer(f"{text!r} looks at no round; say surveillance, dealer, or a seat such as seat:3")


def _is_turned(spot: int, round_: Round) -> bool:
    """Whether a hand lies face up for everybody."""
    if spot == HOUSE:
        face_up = game(round_.opened.game).dealer_first
        return face_up or round_.dealer_set is not None or _is_showdown(round_)
    played = spot == round_.bank_seat or any(wager.seat == spot for wager in round_.stakes)
    return played and _is_showdown(round_)


def _is_showdown(round_: Round) -> bool:
    return bool(round_.lines) or round_.settled is not None

"""Cards as they are drawn, with the suit's sign, and as they are read aloud."""

from __future__ import annotations

import re

from cli.replay.drawing import Block, Piece, Row

UNSEEN = "??"
JOKER = "Jk"
SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_RED = frozenset("dh")
_RANKS = {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
_SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


def face(card: str) -> str:
    """What a card's face shows.

    >>> face("Th"), face("As"), face("Jk"), face("??")
    ('10♥', 'A♠', 'Jk', '??')
    """
    if card in (UNSEEN, JOKER):
        return card
    rank, suit = card[0], card[1]
    return f"{'10' if rank == 'T' else rank}{SIGNS[suit]}"


def is_red(card: str) -> bool:
    """Whether a card is of a red suit; the sign says which, the colour only helps."""
    return card[-1] in _RED and card not in (UNSEEN, JOKER)


def spoken(card: str) -> str:
    """A card as it is read aloud.

    >>> spoken("Th"), spoken("As"), spoken("Jk"), spoken("??")
    ('10 of hearts', 'ace of spades', 'joker', 'unseen card')
    """
    if card == UNSEEN:
        return "unseen card"
    if card == JOKER:
        return "joker"
    rank, suit = card[0], card[1]
    return f"{_RANKS.get(rank, rank)} of {_SUITS[suit]}"


def spoken_cards(cards: str) -> str:
    """Cards as they are read aloud; those that are not seen are counted.

    >>> spoken_cards("Th As"), spoken_cards("?? ??")
    ('10 of hearts, ace of spades', '2 unseen cards')
    """
    each = cards.split()
    unseen = each.count(UNSEEN)
    told = [spoken(card) for card in each if card != UNSEEN]
    if unseen:
        told.append(f"{unseen} unseen card{'s' if unseen > 1 else ''}")
    return ", ".join(told)


_NAMED = r"(?:[2-9TJQKA][cdhs]|Jk|\?\?)"
# One card alone is taken for one only where it is a hand: a reason may begin with "As".
_IN_A_SENTENCE = re.compile(rf"(?<![\w.-]){_NAMED}(?:(?: {_NAMED})+(?![\w-])|(?= (?:low|high)\b))")


def spoken_sentence(text: str) -> str:
    """A sentence in which hands are read aloud.

    >>> spoken_sentence("sets Kh Kd high and Jk low")
    'sets king of hearts, king of diamonds high and joker low'
    """
    return _IN_A_SENTENCE.sub(lambda found: spoken_cards(found[0]), text)


def style_of(card: str) -> str:
    """The style that a card is drawn in."""
    return "dim" if card == UNSEEN else "red" if is_red(card) else "yellow" if card == JOKER else "bold"


def in_a_row(cards: str) -> Row:
    """Cards in one row, for where there is no room to draw them."""
    pieces: list[Piece] = []
    for card in cards.split():
        pieces += [Piece(" ")] if pieces else []
        pieces.append(Piece(face(card), style_of(card)))
    return tuple(pieces)


def drawn(cards: str) -> Block:
    """Cards side by side with their borders, three rows high."""
    each = cards.split()
    middle: list[Piece] = [Piece("│", "dim")]
    for card in each:
        middle += [Piece(face(card).rjust(3), style_of(card)), Piece("│", "dim")]
    above, below = (f"{left}{cross.join(['───'] * len(each))}{right}" for left, cross, right in ("╭┬╮", "╰┴╯"))
    return [(Piece(above, "dim"),), tuple(middle), (Piece(below, "dim"),)]


def drawn_width(count: int) -> int:
    """How many cells that many drawn cards take."""
    return 4 * count + 1

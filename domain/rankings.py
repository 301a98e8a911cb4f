"""What cards are worth: high and low hands against each other, and the classes of hand that tables pay."""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final

from domain.cards import ACE, JOKER, Hand, deck, rank_of, suit_of

CATEGORIES: Final = (
    "high_card",
    "one_pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
    "five_aces",
)

RANKINGS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "seven_card_bonus": (
            "seven_card_straight_flush",
            "royal_match",
            "seven_card_straight_flush_joker",
            "five_aces",
            "royal_flush",
            "straight_flush",
            "four_of_a_kind",
            "full_house",
            "flush",
            "three_of_a_kind",
            "straight",
            "three_pair",
            "two_pair",
            "one_pair",
            "high_card",
        ),
        "six_card": (
            "six_card_straight_flush",
            "five_aces",
            "royal_flush",
            "straight_flush",
            "four_of_a_kind",
            "two_three_of_a_kinds",
            "full_house",
            "six_card_flush",
            "flush",
            "six_card_straight",
            "straight",
            "three_of_a_kind",
            "three_pair",
            "two_pair",
            "one_pair",
            "high_card",
        ),
        "flush_length": tuple(f"flush_{length}" for length in range(7, 1, -1)),
        "straight_flush_length": tuple(f"straight_flush_{length}" for length in range(7, 2, -1)),
        "insurance": (
            "king_high",
            "queen_high",
            "jack_high",
            "ten_high",
            "nine_high",
            "eight_high",
            "king_high_or_less",
        ),
        "ace_high": ("both_ace_high", "dealer_ace_high_joker", "dealer_ace_high"),
        "tiger_9": ("tiger_9",),
        "win": ("win",),
    }
)
"""The classes of every ranking list, highest first."""

# A strength is a category above five ranks of four bits each, the deciding ranks first. A low hand has only two ranks
# and zeros after them, so that it compares with a high hand as it stands.
_RANK_AT: Final = (16, 12, 8, 4, 0)
_PAIR, _STRAIGHT, _FLUSH, _STRAIGHT_FLUSH, _ROYAL_FLUSH = (
    CATEGORIES.index(name) << 20 for name in ("one_pair", "straight", "flush", "straight_flush", "royal_flush")
)
_PATTERNS: Final = {
    (1, 1, 1, 1, 1): "high_card",
    (2, 1, 1, 1): "one_pair",
    (2, 2, 1): "two_pair",
    (3, 1, 1): "three_of_a_kind",
    (3, 2): "full_house",
    (4, 1): "four_of_a_kind",
    (5,): "five_aces",
}


def _ranked(ranks: tuple[int, ...]) -> int:
    """Five ranks as the lower part of a strength."""
    return sum(rank << place for rank, place in zip(ranks, _RANK_AT, strict=True))


_BROADWAY: Final = _ranked((12, 11, 10, 9, 8))


def _straights(wheel: str) -> dict[int, int]:
    """The ten straights: a mask of their ranks to the lower part of their strength."""
    runs = [tuple(range(top, top - 5, -1)) for top in range(4, 13)]
    # The wheel as A-5-4-3-2 comes just below A-K-Q-J-T, as 5-4-3-2-A just below 6-5-4-3-2 (ruling R7).
    runs.append((12, 3, 2, 1, 0) if wheel == "second" else (3, 2, 1, 0, 12))
    return {sum(1 << rank for rank in run): _ranked(run) for run in runs}


def _completed(straights: dict[int, int]) -> dict[int, int]:
    """The masks of four ranks that a joker makes a straight, to the best one: it is the highest card that fits."""
    best: dict[int, int] = {}
    for mask, strength in straights.items():
        for rank in range(13):
            if mask >> rank & 1:
                four = mask & ~(1 << rank)
                best[four] = max(best.get(four, 0), strength)
    return best


_STRAIGHTS: Final = {wheel: _straights(wheel) for wheel in ("second", "lowest")}
_JOKER_STRAIGHTS: Final = {wheel: _completed(straights) for wheel, straights in _STRAIGHTS.items()}


def _shape(equal_neighbours: int) -> tuple[int, tuple[int, ...]]:
    """The category of five falling ranks of which these neighbours are equal, and the order in which they decide."""
    groups: list[list[int]] = [[0]]
    for place in range(1, 5):
        if equal_neighbours >> (4 - place) & 1:
            groups[-1].append(place)
        else:
            groups.append([place])
    groups.sort(key=len, reverse=True)
    pattern = tuple(map(len, groups))
    return CATEGORIES.index(_PATTERNS[pattern]) << 20, tuple(place for group in groups for place in group)


_SHAPES: Final = tuple(map(_shape, range(16)))


def five(cards: Hand, wheel: str = "second") -> int:
    """The strength of a five-card hand: the higher beats the lower, equal strengths are a copy (R25).

    `wheel` says where A-2-3-4-5 ranks, `second` or `lowest` (R7). The joker completes a straight, a flush or a straight
    flush as the highest card that fits, and is an ace otherwise (seed 004).

    >>> from domain.cards import parse
    >>> five(parse("9s 9d 4c 4h 2s")) > five(parse("9c 9h 3c 3h As"))
    True
    """
    a, b, c, d, e = sorted(cards, reverse=True)
    if a == JOKER:
        return _with_joker(b, c, d, e, wheel)
    p, q, r, s, t = a >> 2, b >> 2, c >> 2, d >> 2, e >> 2
    if p > q > r > s > t:
        straight = _STRAIGHTS[wheel].get(1 << p | 1 << q | 1 << r | 1 << s | 1 << t, 0)
        suited = a & 3 == b & 3 == c & 3 == d & 3 == e & 3
        return _distinct(straight, suited, p << 16 | q << 12 | r << 8 | s << 4 | t)
    return _grouped(p, q, r, s, t)


def _with_joker(b: int, c: int, d: int, e: int, wheel: str) -> int:
    """The strength of the joker with four other cards in falling order."""
    q, r, s, t = b >> 2, c >> 2, d >> 2, e >> 2
    if q > r > s > t:
        straight = _JOKER_STRAIGHTS[wheel].get(1 << q | 1 << r | 1 << s | 1 << t, 0)
        suited = b & 3 == c & 3 == d & 3 == e & 3
        if straight or suited:
            # In a flush the joker is the highest card of the suit that is not there already.
            missing = next(rank for rank in range(ACE, -1, -1) if rank not in (q, r, s, t))
            return _distinct(straight, suited, _ranked(tuple(sorted((missing, q, r, s, t), reverse=True))))
    return _grouped(ACE, q, r, s, t)


def _distinct(straight: int, suited: bool, ranks: int) -> int:
    """The strength of five different ranks, given the straight they make (or 0) and whether they are of one suit."""
    if straight:
        if suited:
            return (_ROYAL_FLUSH if straight == _BROADWAY else _STRAIGHT_FLUSH) | straight
        return _STRAIGHT | straight
    return _FLUSH | ranks if suited else ranks


def _grouped(p: int, q: int, r: int, s: int, t: int) -> int:
    """The strength of five ranks in falling order by the pairs, trips and quads among them."""
    category, (v, w, x, y, z) = _SHAPES[(p == q) << 3 | (q == r) << 2 | (r == s) << 1 | (s == t)]
    ranks = p, q, r, s, t
    return category | ranks[v] << 16 | ranks[w] << 12 | ranks[x] << 8 | ranks[y] << 4 | ranks[z]


def two(cards: Hand) -> int:
    """The strength of a two-card hand, comparable with `five`: a pair or two ranks, the joker an ace.

    >>> from domain.cards import parse
    >>> two(parse("3c 3d")) > two(parse("Jk Kd")) > two(parse("Ks Qd"))
    True
    """
    first, second = sorted(map(rank_of, cards), reverse=True)
    return (_PAIR if first == second else 0) | first << 16 | second << 12


def category(strength: int) -> str:
    """The name of the category of a strength that `five` or `two` gave, from `high_card` to `five_aces`."""
    return CATEGORIES[strength >> 20]


def is_foul(high: Hand, low: Hand, *, wheel: str, strict: bool) -> bool:
    """Whether the two-card hand outranks the five-card hand or, where `strict`, equals it (R8).

    Only two hands without a pair can be equal, by the same two top cards; a pair is above the same pair low by its
    further cards.
    """
    above, below = five(high, wheel), two(low)
    return below > above or (strict and below < _PAIR and below >> 12 == above >> 12)


def arranged(cards: Hand, wheel: str = "second") -> Hand:
    """A five-card hand in the order in which it is read: what makes the hand first, the joker where it stands in.

    >>> from domain.cards import parse, show
    >>> show(arranged(parse("2s 9d Jk Ac 9h"))), show(arranged(parse("6c 9s Jk 8d 5h")))
    ('Ac Jk 9h 9d 2s', '9s 8d Jk 6c 5h')
    """
    strength = five(cards, wheel)
    rest = sorted(cards)
    in_order = []
    for place in _RANK_AT:
        rank = strength >> place & 15
        # Sorted cards end with the highest suit of the rank; what no natural card can be is the joker.
        chosen = max((card for card in rest if card >> 2 == rank), default=JOKER)
        rest.remove(chosen)
        in_order.append(chosen)
    return tuple(in_order)


# One bit for each class that seven cards can contain, the highest class the highest bit.
_FALLING: Final = RANKINGS["seven_card_bonus"]
_BIT: Final = {name: 1 << place for place, name in enumerate(reversed(_FALLING))}
_BY_BIT_LENGTH: Final = ("", *reversed(_FALLING))
_HAS_TRIPS: Final = _BIT["three_of_a_kind"]
_HAS_FULL_HOUSE: Final = _BIT["full_house"]
_HAS_QUADS: Final = _BIT["four_of_a_kind"]
_HAS_FIVE_ACES: Final = _BIT["five_aces"]
_HAS_STRAIGHT: Final = _BIT["straight"]
_HAS_FLUSH: Final = _BIT["flush"]
# By the number of different ranks that are paired.
_HAS_PAIRS: Final = (
    _BIT["high_card"],
    _BIT["high_card"] | _BIT["one_pair"],
    _BIT["high_card"] | _BIT["one_pair"] | _BIT["two_pair"],
    _BIT["high_card"] | _BIT["one_pair"] | _BIT["two_pair"] | _BIT["three_pair"],
)

# Each suit has thirteen bits of its own; the joker's bit is above them all.
_PLACE: Final = (*(1 << 13 * suit_of(card) + rank_of(card) for card in deck(joker=False)), 1 << 52)
_SUIT: Final = (1 << 13) - 1
_ACES: Final = 1 << ACE
_TEN_TO_ACE: Final = 0b11111 << 8
_KING_QUEEN: Final = 0b11 << 10


def seven_card_classes(cards: Hand) -> frozenset[str]:
    """Every class of `seven_card_bonus` that seven cards contain, however they are set.

    Quads contain trips and a pair, quads with a pair contain a full house, a royal flush contains a straight flush, a
    flush and a straight. The joker serves each class as suits it best.
    """
    held = _classes(cards)
    return frozenset(name for name, bit in _BIT.items() if held & bit)


def best(cards: Hand) -> str:
    """The highest class of `seven_card_bonus` that seven cards contain; trips are above a straight in that list.

    >>> from domain.cards import parse
    >>> best(parse("9s 9d 9h 8c 7d 6s 5s"))
    'three_of_a_kind'
    """
    return _BY_BIT_LENGTH[_classes(cards).bit_length()]


def first_class(cards: Hand, among: Collection[str]) -> str | None:
    """The highest class that seven cards contain and `among` holds, such as the hands of a paytable, or None."""
    held = _classes(cards)
    return next((name for name in _FALLING if name in among and held & _BIT[name]), None)


def _classes(cards: Hand) -> int:
    """The bits of the classes that seven cards contain."""
    held = sum(map(_PLACE.__getitem__, cards))
    joker = held >> 52
    suits = held & _SUIT, held >> 13 & _SUIT, held >> 26 & _SUIT, held >> 39 & _SUIT
    ranks = suits[0] | suits[1] | suits[2] | suits[3]
    found = _rank_classes(*suits, joker)
    if _has_run(ranks, joker):
        found |= _HAS_STRAIGHT
    for suit in suits:
        if suit.bit_count() + joker >= 5:
            found |= _HAS_FLUSH | _suited_classes(suit, suits, joker)
    return found


def _rank_classes(clubs: int, diamonds: int, hearts: int, spades: int, joker: int) -> int:
    """The bits of what is made of equal ranks, from the ranks held in each suit."""
    black, red = clubs | spades, diamonds | hearts
    both_black, both_red = clubs & spades, diamonds & hearts
    twos = both_black | both_red | black & red
    threes = both_black & red | both_red & black
    fours = both_black & both_red
    found = 0
    if joker:
        # The joker pairs aces only (seed 004): aces move up by one, all other ranks stay.
        found = _HAS_FIVE_ACES if fours & _ACES else 0
        fours |= threes & _ACES
        threes |= twos & _ACES
        twos |= (black | red) & _ACES
    pairs = twos.bit_count()
    found |= _HAS_PAIRS[pairs]
    if threes:
        found |= _HAS_TRIPS | (_HAS_FULL_HOUSE if pairs > 1 else 0) | (_HAS_QUADS if fours else 0)
    return found


def _suited_classes(suit: int, suits: tuple[int, ...], joker: int) -> int:
    """The bits of what is made of consecutive cards of one suit, that suit having at least five with the joker."""
    found = 0
    if _has_run(suit, joker):
        found |= _BIT["straight_flush"]
        if (suit & _TEN_TO_ACE).bit_count() + joker >= 5:
            # The joker may stand in the royal flush, not in the king and queen of another suit (R26).
            found |= _BIT["royal_flush"] | (_BIT["royal_match"] if _KING_QUEEN in suits else 0)
        if _has_run_of_seven(suit, joker):
            found |= _BIT["seven_card_straight_flush_joker" if joker else "seven_card_straight_flush"]
    return found


def _both_ends(ranks: int) -> int:
    """Ranks with the ace below the two as well, where it begins A-2-3-4-5."""
    return ranks << 1 | ranks >> ACE


def _has_run(ranks: int, joker: int) -> bool:
    """Whether five of the ranks follow each other, or four of such five where there is a joker for the fifth."""
    one = _both_ends(ranks)
    two_running = one & one >> 1
    three_running = two_running & one >> 2
    if three_running & three_running >> 2:
        return True
    if not joker:
        return False
    # The gap is at an end, or the second, third or fourth of the five.
    at_end = three_running & three_running >> 1
    return bool(at_end | one & three_running >> 2 | two_running & two_running >> 3 | three_running & one >> 4)


def _has_run_of_seven(ranks: int, joker: int) -> bool:
    """Whether seven cards of one suit, the joker for any one of them, follow each other."""
    held = _both_ends(ranks)
    return any((held >> lowest & 0b1111111).bit_count() + joker == 7 for lowest in range(8))

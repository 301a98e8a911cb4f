"""How a main wager ends, game by game: what the texts compare, and to whom a copy goes."""

from tests.oracle.cards import JOKER, SUITS, Cards, times, values
from tests.oracle.contained import TESTS, is_ace_high, longest_suit, of_suit
from tests.oracle.hands import five, two, worth
from tests.oracle.play import Play
from tests.oracle.splits import Split


def pai_gow(player: Split, banker: Split, wheel: str) -> str:
    """Seed 004, Object of the Game: both hands must beat the banker's; he wins all ties."""
    high = worth(five(player.high, wheel)) > worth(five(banker.high, wheel))
    low = two(player.low) > two(banker.low)
    return "win" if high and low else "push" if high or low else "lose"


def against_the_bank(play: Play, seat: int) -> str:
    """Pai Gow and Fortune: against the dealer, or the player who banks; a foul loses (R10)."""
    if play.foul(seat):
        return "lose"
    banker = play.house_way(play.dealer) if play.bank is None else play.laid[play.bank]
    return pai_gow(play.laid[seat], banker, play.wheel)


def is_tiger_9(play: Play) -> bool:
    """645c.1(h): the dealer's two-card low hand is nine-high."""
    return two(play.house_way(play.dealer).low)[:2] == (0, 9)


def commission_free(play: Play, seat: int) -> str:
    """645c.1(e): with a Tiger 9 every main wager pushes, a foul too (R9)."""
    return "push" if is_tiger_9(play) else against_the_bank(play, seat)


def face_up(play: Play, seat: int) -> str:
    """688a: every main wager pushes against an ace-high dealer, however the player set."""
    return "push" if is_ace_high(play.dealer) else against_the_bank(play, seat)


def six_card(play: Play, seat: int) -> tuple[str, bool]:
    """670a.11(f), and whether R1 had to decide."""
    if play.foul(seat):
        return "lose", False
    player, dealer = play.laid[seat], play.house_way(play.dealer)
    highs = [worth(five(hand.high, play.wheel)) for hand in (player, dealer)]
    high = (highs[0] > highs[1]) - (highs[0] < highs[1])
    low = six_card_low(player.low, dealer.low, play.option("R2"))
    if high < 0 < low or high > 0 > low:
        return "push", False
    if high > 0 and low > 0:
        return "win", False
    if high <= 0 and low <= 0:
        return "lose", False
    return play.option("R1"), True


def six_card_low(player: Cards, dealer: Cards, ruling: str) -> int:
    """A player's joker always wins; the dealer's is an ace, or above it (R2)."""
    if JOKER in player:
        return 1
    theirs, ours = values(player)[0], values(dealer)[0]
    if JOKER in dealer and ruling == "above_ace":
        ours += 1
    return (theirs > ours) - (theirs < ours)


def has_eights_or_better(cards: Cards) -> bool:
    """670a.11(g): the dealer has a pair of eights or better."""
    better = ("two_pair", "three_of_a_kind", "straight", "flush")
    return any(TESTS[name](cards) for name in better) or any(
        rank >= 8 and count >= 2 for rank, count in times(cards).items()
    )


def best_flush(cards: Cards) -> tuple[int, list[int]]:
    """678a.6(b), (c): how long the longest suit is, and its cards from the highest down."""
    return max((len(of_suit(cards, suit)), values(of_suit(cards, suit))) for suit in SUITS)


def qualifies(cards: Cards) -> bool:
    """678a.11(d): at least a three-card flush, nine high."""
    return best_flush(cards) >= (3, [9])


def flush(play: Play, seat: int) -> str:
    """678a.11(c), (d): of an ante; of a raise the same, except where the dealer does not qualify."""
    if seat in play.folded:
        return "lose"
    if not qualifies(play.dealer):
        return "win"
    player, dealer = best_flush(play.hands[seat]), best_flush(play.dealer)
    assert longest_suit(play.dealer) == dealer[0]
    return "win" if player > dealer else "push" if player == dealer else "lose"

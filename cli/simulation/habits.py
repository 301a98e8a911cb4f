"""How often things happen at the tables: one table of rates for a room, and one in which everything goes wrong."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Habits:
    """Rates in ten thousand, as one would see them in a room; each says of what.

    There are no published figures for most of these; they are estimates of a quiet, well-run floor.
    """

    # Of a seated player's rounds.
    leaves: int = 250
    sits_out: int = 300
    backed: int = 60
    bank: int = 1_000
    forfeit: int = 15
    # Of an empty spot's rounds, while somebody waits; of those who sit down, how many take two spots.
    sits_down: int = 2_500
    two_seats: int = 700
    # Of a seat's optional wagers.
    side_wager: int = 4_500
    progressive: int = 5_500
    most_progressive: int = 200
    toke: int = 500
    double_down: int = 1_500
    # Of wagers: odd amounts, put down in two parts, taken off again.
    odd_cents: int = 150
    placed_in_two: int = 300
    withdrawn: int = 100
    # Of hands: set by one's own idea, set without looking, decided against good sense.
    own_setting: int = 2_500
    careless: int = 150
    contrary: int = 400
    # Of player banks.
    bank_out_of_turn: int = 300
    house_wager_high: int = 200
    # Of fouls that the floor may reset (R10).
    floor_resets: int = 7_000
    banker_early: int = 300
    # Of rounds.
    no_start: int = 40
    dice: int = 1_500
    misdeal: int = 40
    exposed: int = 100
    many_exposed: int = 500
    shuffler_before: int = 25
    shuffler_after: int = 10
    void_unsettled: int = 20
    dealer_shown: int = 9_700
    dealer_differs: int = 40
    void_settled: int = 15
    # Of lines: payments that are reported, and payments that are wrong; corrections.
    payment: int = 800
    wrong_payment: int = 200
    correction: int = 8
    # Of winning progressive lines, and of those that are claimed.
    claimed: int = 9_800
    claim_refused: int = 50
    no_light: int = 100
    claim_paid: int = 9_700
    # Of a table's rounds: another dealer, another sheet, closed for some hours.
    new_dealer: int = 400
    new_sheet: int = 150
    closes: int = 30
    # Of commands: told late with an earlier time, told in UTC, sent again, said of an old round before the next is.
    late: int = 80
    in_utc: int = 200
    sent_again: int = 40
    old_round: int = 600
    # Of a meter's levels: limits that are reached within the evening.
    close_limit: int = 500
    # Of commands, where mistakes are asked for.
    mistake: int = 20


ROOM = Habits()
"""An ordinary evening."""

EVENTFUL = Habits(
    leaves=600,
    sits_out=700,
    backed=3_000,
    bank=6_000,
    bank_out_of_turn=4_000,
    house_wager_high=3_000,
    forfeit=1_500,
    two_seats=2_500,
    side_wager=7_000,
    progressive=8_500,
    most_progressive=1_500,
    toke=4_000,
    double_down=4_000,
    odd_cents=5_000,
    placed_in_two=800,
    withdrawn=2_000,
    own_setting=3_500,
    careless=3_000,
    contrary=2_000,
    floor_resets=5_000,
    banker_early=1_500,
    no_start=300,
    misdeal=500,
    exposed=1_500,
    many_exposed=1_000,
    shuffler_before=400,
    shuffler_after=250,
    void_unsettled=300,
    dealer_shown=9_000,
    dealer_differs=1_500,
    void_settled=1_200,
    payment=1_500,
    wrong_payment=1_500,
    correction=700,
    claimed=8_000,
    claim_refused=1_000,
    no_light=800,
    claim_paid=8_500,
    new_sheet=900,
    closes=150,
    late=200,
    close_limit=7_000,
    sent_again=100,
    mistake=200,
)
"""An unlucky month's worth of everything in a few rounds."""

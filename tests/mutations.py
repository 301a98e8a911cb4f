"""Rules broken by hand, one at a time: each has to be caught by the test that is named for it.

`python -m tests.mutations` copies the tree to a temporary place, sees that the named tests pass there, breaks one rule
after the other and says which were caught; it ends with 1 where one survived. About two seconds a rule.
`python -m tests.mutations R14` tries those whose rule contains the text.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
COPIED = ("domain", "ledger", "projections", "cli", "tests", "pyproject.toml")


class Mutation(NamedTuple):
    """A line of the product changed: `old`, which its file contains once, becomes `new`; `caught_by` is a test's id."""

    rule: str
    file: str
    old: str
    new: str
    caught_by: str


_COMPARING = "tests/domain/rounds/test_comparing.py::"
_ENVY = "tests/domain/rounds/test_envy.py::"
_HITS = "tests/domain/rounds/test_meter_hits.py::"
_SIX = "tests/domain/games/test_six_card_fortune.py::"
_FLUSH = "tests/domain/games/test_high_card_flush.py::"
_FACE_UP = "tests/domain/games/test_face_up.py::"
_TIGER = "tests/domain/games/test_commission_free.py::"
_PAI_GOW = "tests/domain/games/test_pai_gow.py::"
_EVERY = "tests/domain/games/test_every_game.py::"
_CARDROOM = "tests/domain/test_cardroom.py::"
_BANK = "tests/domain/rounds/test_player_bank.py::"
_MONEY = "tests/domain/house/test_meter_money.py::"
_TERMS = "tests/domain/house/test_meter_terms.py::"
_SEVERAL = "tests/domain/rounds/test_several_meters.py::"
_CLAIMS = "tests/domain/rounds/test_jackpot_claims.py::"
_LARGE = "tests/projections/test_large_sums.py::"
_MYSTERY = "tests/domain/rounds/test_mystery.py::"
_TAX = "tests/domain/test_tax.py::"
_VOIDS = "tests/domain/rounds/test_voids.py::"
_AFTER = "tests/domain/rounds/test_after_settling.py::"

MUTATIONS: Sequence[Mutation] = (
    # Two hands against the banker
    Mutation(
        "seed 004, Object of the Game: a copied high hand is the banker's",
        "domain/games/seven_card.py",
        "known_five(ours.high, wheel) > known_five(",
        "known_five(ours.high, wheel) >= known_five(",
        _COMPARING + "test_seed_004_object_both_hands_copied_go_to_the_banker",
    ),
    Mutation(
        "seed 004, Object of the Game: a copied low hand is the banker's",
        "domain/games/seven_card.py",
        "two(ours.low) > two(theirs.low)",
        "two(ours.low) >= two(theirs.low)",
        _COMPARING + "test_seed_004_object_a_copied_low_hand_with_a_high_hand_won_pushes",
    ),
    Mutation(
        "645a.11(f): a foul hand loses",
        "domain/games/seven_card.py",
        "    if showdown.set_hands[seat].foul:\n",
        "    if False:\n",
        _PAI_GOW + "test_645a_11_f_says_what_becomes_of_the_main_wager",
    ),
    Mutation(
        "R7: where the wheel ranks",
        "domain/rankings.py",
        '(12, 3, 2, 1, 0) if wheel == "second"',
        '(12, 3, 2, 1, 0) if wheel != "second"',
        _COMPARING + "test_R7_the_wheel_is_the_second_highest_straight_unless_the_sheet_says_lowest",
    ),
    Mutation(
        "R8: strict makes equality a foul",
        "domain/rankings.py",
        "below > above or (strict and",
        "below > above or (False and",
        _PAI_GOW + "test_R8_equal_hands_are_legal_unless_the_sheet_is_strict",
    ),
    Mutation(
        "R10: the token lose",
        "domain/rounds/setting.py",
        'scene.sheet.options.get("R10") != "lose_or_reset"',
        'scene.sheet.options.get("R10") == "never"',
        _PAI_GOW + "test_R10_a_foul_loses_and_the_floor_resets_none",
    ),
    # Six-Card Fortune
    Mutation(
        "670a.11(f)(1)(iii): high identical, low lower",
        "domain/games/six_card_fortune.py",
        '(0, -1): Verdict("lose",',
        '(0, -1): Verdict("push",',
        _SIX + "test_670a_11_f_says_what_becomes_of_the_main_wager",
    ),
    Mutation(
        "670a.11(f)(2)(ii): the cite",
        "domain/games/six_card_fortune.py",
        'Verdict("push", "670a.11(f)(2)(ii)")',
        'Verdict("push", "670a.11(f)(2)(i)")',
        _SIX + "test_670a_11_f_says_what_becomes_of_the_main_wager",
    ),
    Mutation(
        "670a.11(f)(3): a player's joker beats every low card",
        "domain/games/six_card_fortune.py",
        "return 1  # 670a.11(f)(2)(ii)",
        "return 0  # 670a.11(f)(2)(ii)",
        _SIX + "test_670a_11_f_3_a_joker_low_beats_the_dealers_ace",
    ),
    Mutation(
        "R1: the sheet decides the gap",
        "domain/games/six_card_fortune.py",
        'Verdict(showdown.sheet.options["R1"],',
        'Verdict("push",',
        _SIX + "test_R1_what_no_paragraph_of_670a_11_f_covers_goes_by_the_sheet",
    ),
    Mutation(
        "R2: above_ace",
        "domain/games/six_card_fortune.py",
        'showdown.sheet.options["R2"] == "above_ace"',
        'showdown.sheet.options["R2"] == "ace"',
        _SIX + "test_R2_the_dealers_joker_is_an_ace_or_above_it_against_a_players_ace",
    ),
    Mutation(
        "670a.11(g): a pair of eights",
        "domain/six_card.py",
        'five(parse("8c 8d 4c 3c 2c"))',
        'five(parse("7c 7d 4c 3c 2c"))',
        _SIX + "test_670a_11_g_a_pair_of_eights_or_better_is_what_the_dealer_needs",
    ),
    Mutation(
        "670a.11(g)(2): the double down is returned",
        "domain/games/six_card_fortune.py",
        'Verdict("returned", "670a.11(g)(2)")',
        'Verdict("lose", "670a.11(g)(2)")',
        _SIX + "test_670a_11_g_2_without_eights_the_double_down_is_returned_whatever_the_main_does",
    ),
    Mutation(
        "670a.11(c): a double down equals the player's own main",
        "domain/rounds/deciding.py",
        "    stake = _own_stake(command.seat, scene)\n",
        "    stake = scene.mains_at(command.seat)\n",
        _SIX + "test_670a_11_c_a_double_down_equals_the_main_without_backers_and_tokes",
    ),
    Mutation(
        "R22: the joker alone makes the insurance lose",
        "domain/games/six_card_fortune.py",
        '"R22" if joker_alone else None',
        '"R22" if JOKER in cards else None',
        _SIX + "test_670a_11_h_2_i_and_R22_better_than_king_high_is_collected",
    ),
    Mutation(
        "670a.11(b), R8: the strict foul of a card low",
        "domain/six_card.py",
        "strict and above >> _TOP_RANK_AT == below",
        "strict and above >> _TOP_RANK_AT > below",
        _SIX + "test_670a_11_b_and_R8_strict_makes_equality_a_foul",
    ),
    Mutation(
        "R4: the joker is the dealer's highest card",
        "domain/house_ways/pa_670a_11_d.py",
        "return rank_of(card), card == JOKER, -card",
        "return rank_of(card), card != JOKER, -card",
        "tests/domain/test_house_way_670a_11_d.py::test_the_joker_goes_low_rather_than_an_ace",
    ),
    Mutation(
        "670a.11(d)(1)(ii): of three pairs a card of the highest goes low",
        "domain/house_ways/pa_670a_11_d.py",
        "low = max((card for card, name in",
        "low = min((card for card, name in",
        "tests/domain/test_house_way_670a_11_d.py::test_670a_11_d_1_ii_of_three_pairs_the_two_lower_are_high",
    ),
    Mutation(
        "670a.11(d)(6): the second highest card goes low",
        "domain/house_ways/pa_670a_11_d.py",
        "sorted(cards, key=_height)[-2]",
        "sorted(cards, key=_height)[-1]",
        "tests/domain/test_house_way_670a_11_d.py::test_670a_11_d_6_without_a_set_the_second_highest_card_goes_low",
    ),
    # High Card Flush
    Mutation(
        "678a.11(b)(2): twice the ante with five suited cards",
        "domain/games/high_card_flush.py",
        "5: 2, 6: 3",
        "5: 3, 6: 3",
        _FLUSH + "test_678a_11_b_a_raise_is_at_most_so_many_antes",
    ),
    Mutation(
        "678a.11(b): up to the maximum",
        "domain/rounds/deciding.py",
        "command.amount_cents <= most",
        "command.amount_cents < most",
        _FLUSH + "test_678a_11_b_a_raise_is_at_most_so_many_antes",
    ),
    Mutation(
        "R18: whole multiples",
        "domain/rounds/deciding.py",
        'options["R18"] == "multiples"',
        'options["R18"] == "whole"',
        _FLUSH + "test_R18_between_whole_multiples_only_any_amount_allows",
    ),
    Mutation(
        "678a.11(c)(2): a fold loses the ante",
        "domain/games/high_card_flush.py",
        'Verdict("lose", "678a.11(c)(2): folded")',
        'Verdict("push", "678a.11(c)(2): folded")',
        _FLUSH + "test_678a_11_c_2_a_fold_loses_the_ante_even_with_the_better_hand",
    ),
    Mutation(
        "678a.11(d): nine high",
        "domain/flushes.py",
        "_NINE: Final = 7",
        "_NINE: Final = 6",
        _FLUSH + "test_678a_11_d_the_dealer_needs_a_three_card_flush_nine_high",
    ),
    Mutation(
        "678a.11(d)(2)(ii)(B): equal hands push",
        "domain/games/high_card_flush.py",
        "if ours < theirs:",
        "if ours <= theirs:",
        _FLUSH + "test_678a_11_d_2_ii_B_an_equal_hand_pushes_ante_and_raise",
    ),
    Mutation(
        "R5: the ace below the two",
        "domain/flushes.py",
        'ace == "high_and_low"',
        'ace != "high_and_low"',
        _FLUSH + "test_R5_the_ace_in_a_straight_flush",
    ),
    Mutation(
        "R6: three cards without a line",
        "domain/games/high_card_flush.py",
        "SHORTEST_STRAIGHT_FLUSH = 3",
        "SHORTEST_STRAIGHT_FLUSH = 4",
        _FLUSH + "test_R6_three_cards_lose_both_wagers_where_the_tables_have_no_line",
    ),
    # Commission-free
    Mutation(
        "645c.1(h): a pair of nines is no Tiger 9",
        "domain/games/commission_free.py",
        "ranks[-1] == NINE and ranks[0] != NINE",
        "ranks[-1] == NINE",
        _TIGER + "test_645c_1_h_a_tiger_9_is_a_nine_high_without_a_pair_low",
    ),
    Mutation(
        "R9: Tiger 9 before the foul",
        "domain/games/commission_free.py",
        "    if is_tiger_nine(showdown.banker.low):\n",
        "    if is_tiger_nine(showdown.banker.low) and not showdown.set_hands[seat].foul:\n",
        _TIGER + "test_R9_a_foul_is_pushed_too",
    ),
    Mutation(
        "645c.1(a): no vigorish",
        "domain/games/commission_free.py",
        "    commission=False,\n",
        "    commission=True,\n",
        _TIGER + "test_645c_1_a_a_sheet_with_commission_is_refused",
    ),
    # Face Up
    Mutation(
        "688a.1: what an Ace High Pai Gow is",
        "domain/games/face_up.py",
        'best(cards) == "high_card" and',
        'best(cards) != "one_pair" and',
        _FACE_UP + "test_688a_1_ace_high_is_no_pair_straight_or_flush_with_an_ace",
    ),
    Mutation(
        "688a.7(e)(1): both ace-high before the joker's line",
        "domain/games/face_up.py",
        "    if is_ace_high(showdown.cards[seat]):\n",
        "    if JOKER not in dealer and is_ace_high(showdown.cards[seat]):\n",
        _FACE_UP + "test_688a_7_e_1_an_ace_high_dealer_pays_the_ace_high_bonus",
    ),
    Mutation(
        "R24: three pairs",
        "domain/games/face_up.py",
        '{"three_pair": "R24"}',
        '{"two_pair": "R24"}',
        _FACE_UP + "test_R24_three_pairs_push_where_the_table_says_0_to_1",
    ),
    Mutation(
        "688a.7(f): the larger wager's hand first",
        "domain/rounds/setting.py",
        "other) > (stake, seat)",
        "other) < (stake, seat)",
        _FACE_UP + "test_688a_7_f_the_larger_wagers_hand_is_set_first_of_equal_ones_the_higher_seats",
    ),
    # Envy
    Mutation(
        "R13: no envy for a hand of the same player",
        "domain/rounds/settlement.py",
        "if scene.round.seats[holder] != player:",
        "if holder != payee:",
        _ENVY + "test_R13_no_envy_for_a_hand_of_the_same_player",
    ),
    Mutation(
        "R13: the minimum is the bonus wager's",
        "domain/rounds/settlement.py",
        "minimum = 0 if rule.meter else",
        "minimum = 0 if rule.backed else",
        _ENVY + "test_R13_the_minimum_does_not_bind_the_progressive_wager",
    ),
    Mutation(
        "seed 004, Envy Bonus: a minimum of $5",
        "domain/rounds/settlement.py",
        ">= max(minimum, 1)",
        "> max(minimum, 1)",
        _ENVY + "test_seed_004_envy_pays_every_other_player_with_five_dollars_on_the_bonus",
    ),
    Mutation(
        "R13: no envy for a seat that sits out",
        "domain/rounds/settlement.py",
        "in_play = scene.in_play()[::-1]",
        "in_play = sorted(scene.round.seats, reverse=True)",
        _ENVY + "test_R13_no_envy_for_an_empty_spot_or_a_seat_that_sits_out",
    ),
    # Money
    Mutation(
        "R12: half_up",
        "domain/money.py",
        "(2 * exact + BASIS_POINTS) //",
        "(2 * exact) //",
        "tests/domain/rounds/test_commission.py::test_R12_half_up_rounds_each_wager_to_the_cent",
    ),
    Mutation(
        "R12: up_to_quarter",
        "domain/money.py",
        "-(-exact // quarter)",
        "(exact // quarter)",
        "tests/domain/rounds/test_commission.py"
        "::test_R12_up_to_quarter_goes_up_to_the_next_quarter_and_an_exact_quarter_stays",
    ),
    Mutation(
        "R21: cut to the cent",
        "domain/money.py",
        "return max(micros, 0) // MICROS_PER_CENT",
        "return (max(micros, 0) + 5_000) // MICROS_PER_CENT",
        "tests/domain/test_money.py::test_R21_cut_to_the_cent_is_never_more_and_never_negative",
    ),
    Mutation(
        "R15: a contribution is exact in micros",
        "domain/money.py",
        "return stake_cents * rate_bp",
        "return stake_cents * rate_bp // MICROS_PER_CENT * MICROS_PER_CENT",
        "tests/domain/rounds/test_contributions.py::test_R15_fractions_of_a_cent_accumulate_and_the_display_is_cut",
    ),
    Mutation(
        "seed 004, Dealer Tokes: no commission",
        "domain/rounds/settlement.py",
        "== scene.base and not line.wager.toke]",
        "== scene.base]",
        "tests/domain/rounds/test_tokes.py::test_seed_004_tokes_no_commission_on_a_winning_toke",
    ),
    Mutation(
        "for 1: the stake is not returned",
        "domain/rounds/settlement.py",
        "        line.won_cents = paid.n * stake\n",
        "        line.won_cents = (paid.n - 1) * stake\n",
        _SIX + "test_670a_11_h_3_i_A_and_B_a_straight_or_better_is_paid_for_1",
    ),
    Mutation(
        "payout limit: the last lines are cut first",
        "domain/rounds/payout_limit.py",
        "for line in reversed(own):",
        "for line in own:",
        _EVERY + "test_a_payout_limit_is_cut_from_the_lines_settled_last",
    ),
    # Meters
    Mutation(
        "R14: sequential_equal, equal shares",
        "domain/rounds/jackpots.py",
        "(pool.equal_hits - 1)",
        "(pool.equal_hits)",
        _HITS + "test_R14_sequential_equal_with_a_ten_percent_hit_before_between_and_after",
    ),
    Mutation(
        "R14: snapshot, the house pays what the meter lacked",
        "domain/rounds/jackpots.py",
        "lacking = max(win - pool.accrued_micros, 0)",
        "lacking = 0",
        _HITS + "test_R14_snapshot_what_the_meter_lacked_is_house_money_shown_in_resets",
    ),
    Mutation(
        "R14: the reserve pays the reset first",
        "domain/rounds/jackpots.py",
        "return reset, min(pool.reserve_micros, reset)",
        "return reset, 0",
        _HITS + "test_R14_reserve_pays_the_reset_first_and_the_house_the_rest",
    ),
    Mutation(
        "a hit is of the limit, the overflow stays",
        "domain/rounds/jackpots.py",
        "held if limit is None else min(held, limit)",
        "held",
        _HITS + "test_a_hit_on_a_level_over_its_limit_is_of_the_limit_and_the_overflow_stays",
    ),
    Mutation(
        "R15: a void takes the contribution back",
        "domain/meters.py",
        "            - reversal.increment_micros\n",
        "            + reversal.increment_micros\n",
        "tests/domain/rounds/test_voids.py::test_R15_a_void_takes_contribution_win_reset_and_reserve_back_exactly",
    ),
    # Meters outside the rounds
    Mutation(
        "meters: the list of reasons is closed",
        "domain/meter_decide.py",
        "if reason not in allowed:",
        "if not reason:",
        _MONEY + "test_a_level_is_lowered_and_raised_for_the_reasons_of_its_list_only",
    ),
    Mutation(
        "meters: what is added by the house is no reason to lower",
        "domain/meter_decide.py",
        "LOWERING = (\n",
        'LOWERING = (\n    "house_added",\n',
        _MONEY + "test_the_reasons_are_these_and_no_others",
    ),
    Mutation(
        "meters: lowering has its own list",
        "domain/meter_decide.py",
        "if command.amount_micros < 0 else (RAISING",
        "if command.amount_micros > 0 else (RAISING",
        _MONEY + "test_a_level_is_lowered_and_raised_for_the_reasons_of_its_list_only",
    ),
    Mutation(
        "meters: two approve an entry",
        "domain/meter_decide.py",
        "METER_PEOPLE = 2",
        "METER_PEOPLE = 1",
        _MONEY + "test_two_others_than_the_author_approve",
    ),
    Mutation(
        "meters: two approve new terms",
        "domain/meter_decide.py",
        "by=command.by, people=METER_PEOPLE)\n    meter = _meter(command.meter, around)\n    if",
        "by=command.by)\n    meter = _meter(command.meter, around)\n    if",
        _TERMS + "test_two_others_than_the_author_approve_new_terms",
    ),
    Mutation(
        "meters: hidden money goes to revenue from the reserve",
        "domain/meter_decide.py",
        "hidden = command.reason == HIDDEN_TO_REVENUE",
        "hidden = False",
        _MONEY + "test_hidden_money_that_goes_to_revenue_comes_from_the_reserve",
    ),
    Mutation(
        "meters: no entry takes more than is accrued",
        "domain/meter_decide.py",
        "if after < 0 and command.amount_micros < 0:",
        "if hidden and after < 0 and command.amount_micros < 0:",
        _MONEY + "test_no_more_is_taken_than_a_level_has_accrued",
    ),
    Mutation(
        "meters: a level below nothing may be raised by a part",
        "domain/meter_decide.py",
        "if after < 0 and command.amount_micros < 0:",
        "if after < 0:",
        _MONEY + "test_a_level_below_nothing_is_raised_by_any_part_and_not_lowered",
    ),
    Mutation(
        "meters: no transfer takes more than is accrued",
        "domain/meter_decide.py",
        "if command.amount_micros > level.accrued_micros:",
        "if command.amount_micros > level.accrued_micros + level.reserve_micros:",
        _MONEY + "test_no_more_is_taken_than_a_level_has_accrued",
    ),
    Mutation(
        "meters: what a transfer takes here arrives there",
        "domain/meter_decide.py",
        "_raised(to_before, command.amount_micros)",
        "_raised(to_before, 0)",
        _MONEY + "test_shown_and_hidden_together_are_what_was_before_less_what_went_to_revenue",
    ),
    Mutation(
        "meters: a transfer leaves the reserve",
        "domain/meter_decide.py",
        "command.amount_micros, level.reserve_micros),",
        "command.amount_micros, 0),",
        _MONEY + "test_a_transfer_moves_a_part_of_what_is_accrued_and_leaves_the_reserve",
    ),
    Mutation(
        "meters: retiring moves the reserve too",
        "domain/meter_decide.py",
        "moved = level.accrued_micros + level.reserve_micros",
        "moved = level.accrued_micros",
        _MONEY + "test_a_retired_level_moves_accrued_and_reserve_into_what_the_other_has_accrued",
    ),
    Mutation(
        "meters: what a void gives back to a retired level is moved on",
        "domain/meter_decide.py",
        "if level.retired and level.held == Held(0, 0):",
        "if level.retired:",
        _MONEY + "test_what_a_void_gives_back_to_a_retired_level_is_moved_on_and_what_it_takes_back_too",
    ),
    Mutation(
        "meters: money stays at its property",
        "domain/meter_decide.py",
        "if other.property != meter.property:",
        "if False:",
        _MONEY + "test_money_is_moved_to_another_meter_of_the_property_with_the_same_level_names",
    ),
    Mutation(
        "meters: the other meter has the same levels",
        "domain/meter_decide.py",
        "if set(other.levels) != set(meter.levels):",
        "if command.level not in other.levels:",
        _MONEY + "test_money_is_moved_to_another_meter_of_the_property_with_the_same_level_names",
    ),
    Mutation(
        "meters: no level holds more than is accounted for",
        "domain/meter_decide.py",
        "if accrued_micros > MAX_MICROS:",
        "if False:",
        _MONEY + "test_a_level_can_not_hold_more_than_is_accounted_for",
    ),
    Mutation(
        "meters: more than was above the limit is noted",
        "domain/meter_decide.py",
        "-command.amount_micros <= level.overflow_micros:",
        "-command.amount_micros <= level.accrued_micros:",
        _MONEY + "test_lowering_for_the_limit_more_than_was_above_it_is_noted",
    ),
    Mutation(
        "meters: no correction of a day to come",
        "domain/meter_decide.py",
        "command.gaming_day > day:",
        "command.gaming_day > day and False:",
        _MONEY + "test_a_day_that_is_to_come_is_not_put_right",
    ),
    Mutation(
        "meters: no limit below what is shown",
        "domain/meter_decide.py",
        "limit < shown:",
        "limit < 0:",
        _TERMS + "test_a_limit_below_what_the_level_shows_is_refused_one_between_shown_and_overflow_is_not",
    ),
    Mutation(
        "meters: a limit is held against what an earlier change will show",
        "domain/meter_decide.py",
        "shown = max(level.shown_micros, then.levels[new.level].shown_micros)",
        "shown = level.shown_micros",
        _TERMS + "test_a_limit_is_held_against_what_is_shown_once_an_earlier_change_is_in_force",
    ),
    Mutation(
        "meters: a limit may be what is shown",
        "domain/meter_decide.py",
        "limit < shown:",
        "limit <= shown:",
        _TERMS + "test_a_limit_may_be_exactly_what_the_level_shows",
    ),
    Mutation(
        "meters: only a new limit is held against what is shown",
        "domain/meter_decide.py",
        "limit = after.limit_micros if after.limit_micros != before.limit_micros else None",
        "limit = after.limit_micros",
        _TERMS + "test_another_figure_changes_though_a_limit_to_come_was_passed_since",
    ),
    Mutation(
        "meters: no terms for wagers that were made",
        "domain/meter_decide.py",
        "instant(command.effective_from) < instant(command.at):",
        "command.effective_from < command.at:",
        _TERMS + "test_times_of_terms_are_compared_whatever_their_offset",
    ),
    Mutation(
        "meters: terms are in force from their time on",
        "domain/meters.py",
        "if instant(change.effective_from) > moment:",
        "if instant(change.effective_from) >= moment:",
        _TERMS + "test_new_terms_are_in_force_from_their_time_on",
    ),
    Mutation(
        "meters: an earlier change keeps its own part only",
        "domain/meters.py",
        "            if getattr(self.after, name) != getattr(self.before, name)\n",
        "",
        _TERMS + "test_a_change_that_comes_into_force_earlier_leaves_the_later_one_its_own_part",
    ),
    Mutation(
        "meters: changes come into force by time",
        "domain/meters.py",
        "key=lambda each: instant(each.effective_from)",
        "key=lambda each: each.effective_from",
        _TERMS + "test_times_of_terms_are_compared_whatever_their_offset",
    ),
    Mutation(
        "meters: the guard changes too",
        "domain/meters.py",
        "guard = guard if change.unreasonable_micros is None",
        "guard = guard if change.levels",
        _TERMS + "test_the_guard_against_unreasonable_contributions_is_changed_too",
    ),
    Mutation(
        "meters: an entry is held against the limit in force",
        "domain/meter_decide.py",
        "meter = _meter(name, around).in_force(at)",
        "meter = _meter(name, around)",
        _MONEY + "test_an_entry_and_a_reading_are_held_against_the_limit_in_force",
    ),
    Mutation(
        "meters: a level shows by its limit in force when it is retired",
        "domain/meter_decide.py",
        "meter = _meter(command.meter, around).in_force(command.at)",
        "meter = _meter(command.meter, around)",
        _MONEY + "test_a_retired_level_showed_no_more_than_the_limit_in_force",
    ),
    Mutation(
        "meters: retired twice, shown once",
        "domain/meters.py",
        "retired_micros=shown_micros if retired is None else retired)",
        "retired_micros=shown_micros)",
        _MONEY + "test_a_hand_in_play_is_due_what_the_level_showed_when_it_was_retired_first",
    ),
    Mutation(
        "meters: a retired level takes nothing",
        "domain/rounds/betting.py",
        "for level in meter.levels.values() if not level.retired]",
        "for level in meter.levels.values()]",
        _MONEY + "test_a_wager_whose_table_pays_from_a_retired_level_is_refused_another_feeds_what_is_left",
    ),
    # Hits on several meters and on what has ended
    Mutation(
        "hits: a stake feeds every one of its meters",
        "domain/rounds/betting.py",
        "in scene.sheet.wagers[wager.wager].meters:",
        "in scene.sheet.wagers[wager.wager].meters[:1]:",
        _SEVERAL + "test_a_stake_feeds_every_meter_in_the_sheets_order",
    ),
    Mutation(
        "hits: equal shares are counted on the line's own meter",
        "domain/rounds/jackpots.py",
        "if (claimed, of) == (meter, name)]",
        "if of == name]",
        _SEVERAL + "test_hits_of_levels_of_one_name_on_two_meters_do_not_share",
    ),
    Mutation(
        "hits: a void gives every meter its own back",
        "domain/rounds/aftermath.py",
        "sums = moved.setdefault((taken.meter, part.level), [0] * 7)",
        "sums = moved.setdefault((round_.contributions[0].meter, part.level), [0] * 7)",
        _SEVERAL + "test_a_void_takes_back_what_the_round_moved_of_each_meter",
    ),
    Mutation(
        "hits: a void takes hits back",
        "domain/rounds/aftermath.py",
        "_add(sums, 0, 0, 0, hit.win_micros, hit.reset_micros, hit.reserve_used_micros, 1)",
        "_add(sums, 0, 0, 0, hit.win_micros, 0, hit.reserve_used_micros, 1)",
        _VOIDS + "test_R15_a_void_takes_contribution_win_reset_and_reserve_back_exactly",
    ),
    Mutation(
        "hits: a retired level is due what it showed",
        "domain/rounds/jackpots.py",
        "level.shown_micros if level.retired_micros is None else level.retired_micros",
        "level.shown_micros",
        _MONEY + "test_a_hand_that_was_in_play_is_paid_what_the_retired_level_showed_by_the_house",
    ),
    Mutation(
        "hits: whole hits of a retired level share it",
        "domain/rounds/jackpots.py",
        "pool.equal_hits if percent == 100 else 1)",
        "1)",
        _MONEY + "test_several_whole_hits_of_a_retired_level_share_it",
    ),
    Mutation(
        "R14: snapshot resets once, with the last hit",
        "domain/rounds/jackpots.py",
        "if pool.claims_left or not pool.to_reset:",
        "if not pool.to_reset:",
        _HITS + "test_R14_snapshot_what_the_meter_lacked_is_house_money_shown_in_resets",
    ),
    Mutation(
        "meters: a full level takes no wager",
        "domain/rounds/betting.py",
        '_check_not_full(meter, "take the round without this wager")',
        "pass",
        _HITS + "test_shares_of_a_level_that_is_all_but_full_leave_sums_of_64_bits",
    ),
    Mutation(
        "meters: a level that filled up meanwhile takes no stake at no more bets",
        "domain/rounds/betting.py",
        '_check_not_full(meter, "withdraw the wagers that feed it")',
        "pass",
        _LARGE + "test_a_level_that_filled_up_meanwhile_is_refused_at_no_more_bets_and_the_wager_can_be_withdrawn",
    ),
    Mutation(
        "meters: what comes and goes fills a level too",
        "domain/meters.py",
        "turned_micros=self.turned_micros + micros",
        "turned_micros=micros",
        _LARGE + "test_the_largest_entries_are_refused_before_a_sum_of_their_meters_leaves_64_bits",
    ),
    # Jackpots
    Mutation(
        "jackpots: what a corrected line pays",
        "domain/rounds/claims.py",
        "paid = won if command.amount_cents is None",
        "paid = line.won_cents if command.amount_cents is None",
        _CLAIMS + "test_a_jackpot_pays_what_its_line_was_corrected_to_before_it_is_paid",
    ),
    Mutation(
        "jackpots: nothing is paid of a line that was corrected to nothing",
        "domain/rounds/claims.py",
        "if won == 0 < line.won_cents:",
        "if False:",
        _CLAIMS + "test_a_jackpot_whose_line_was_corrected_to_nothing_is_not_paid",
    ),
    Mutation(
        "jackpots: the stake that a corrected line gives back is no part of it",
        "domain/rounds/claims.py",
        "line.commission_cents - line.returned_cents, 0)",
        "line.commission_cents, 0)",
        _CLAIMS + "test_the_stake_that_a_corrected_line_gives_back_is_no_part_of_the_jackpot",
    ),
    Mutation(
        "jackpots: a slip pays one line",
        "domain/rounds/claims.py",
        "if used is not None:",
        "if used is not None and used.round == scene.round.key:",
        _CLAIMS + "test_a_slip_pays_one_line_in_the_whole_ledger",
    ),
    Mutation(
        "jackpots: a share of the meter never from the rack",
        "domain/rounds/claims.py",
        'if line.paid_by == "meter" and command.paid_from == "rack":',
        'if line.paid_by == "rack":',
        _CLAIMS + "test_a_share_of_the_meter_is_never_paid_from_the_rack",
    ),
    Mutation(
        "jackpots: a supervisor from $25 on",
        "domain/rounds/claims.py",
        "abs(difference_cents) >= property_",
        "abs(difference_cents) > property_",
        _CLAIMS + "test_a_slip_that_differs_by_25_dollars_or_more_needs_a_supervisor",
    ),
    Mutation(
        "jackpots: a supervisor for a slip below the line too",
        "domain/rounds/claims.py",
        "abs(difference_cents) >= property_",
        "difference_cents >= property_",
        _CLAIMS + "test_a_slip_that_differs_by_25_dollars_or_more_needs_a_supervisor",
    ),
    Mutation(
        "jackpots: the dealer does not supervise",
        "domain/rounds/claims.py",
        "(command.by, command.paid_by, scene.round.opened.dealer)",
        "(command.by, command.paid_by)",
        _CLAIMS + "test_a_supervisor_is_not_the_author_the_payer_or_the_dealer",
    ),
    Mutation(
        "jackpots: who pays does not witness",
        "domain/rounds/claims.py",
        "if command.paid_by == command.witness:",
        "if command.by == command.witness:",
        _CLAIMS + "test_who_pays_does_not_witness",
    ),
    Mutation(
        "jackpots: the dealer decides on none",
        "domain/rounds/claims.py",
        "if person == scene.round.opened.dealer:",
        "if False:",
        _CLAIMS + "test_the_rounds_dealer_neither_validates_nor_refuses",
    ),
    Mutation(
        "jackpots: paid only after validation",
        "domain/rounds/claims.py",
        "if line.line_id not in scene.round.validated:",
        "if False:",
        _CLAIMS + "test_a_claim_is_paid_only_after_validation_and_only_once",
    ),
    Mutation(
        "jackpots: no void after a payment",
        "domain/rounds/aftermath.py",
        "if round_.jackpots_paid:",
        "if False:",
        _CLAIMS + "test_a_round_is_not_voided_once_a_jackpot_of_it_was_paid",
    ),
    Mutation(
        "tax: the year is the property's",
        "domain/rounds/claims.py",
        "year=calendar_year(command.at, property_.zone)",
        "year=int(command.at[:4])",
        _CLAIMS + "test_the_year_of_a_payment_is_the_propertys_calendar_year",
    ),
    Mutation(
        "jackpots: a payment is of its gaming day",
        "domain/rounds/claims.py",
        "gaming_day(command.at, property_.zone, property_.day_starts)",
        "gaming_day(command.at, property_.zone, '00:00')",
        _CLAIMS + "test_a_payment_counts_on_the_gaming_day_on_which_it_is_made",
    ),
    Mutation(
        "tax: on what the slip says",
        "domain/rounds/claims.py",
        "        paid + line.returned_cents,\n",
        "        line.won_cents + line.returned_cents,\n",
        _CLAIMS + "test_tax_is_on_what_the_slip_says",
    ),
    Mutation(
        "tax: a stake given back is part of the payment",
        "domain/rounds/claims.py",
        "        paid + line.returned_cents,\n",
        "        paid,\n",
        _CLAIMS + "test_tax_is_on_the_payment_with_the_stake_that_is_given_back",
    ),
    Mutation(
        "tax: a form from $600 or $2,000 on",
        "domain/tax/__init__.py",
        "due = counted >= max(figures.form_from_cents, least)",
        "due = counted > max(figures.form_from_cents, least)",
        _TAX + "test_a_form_is_due_from_an_amount_on_that_is_300_times_the_wager",
    ),
    Mutation(
        "tax: withheld above $5,000, not at it",
        "domain/tax/__init__.py",
        "net > figures.withheld_above_cents",
        "net >= figures.withheld_above_cents",
        _TAX + "test_a_quarter_less_a_point_is_withheld_above_5000_net_of_the_wager_and_300_times",
    ),
    Mutation(
        "tax: withheld is rounded half up to the cent",
        "domain/money.py",
        "(2 * winnings_cents * rate_bp + BASIS_POINTS) //",
        "(2 * winnings_cents * rate_bp) //",
        _TAX + "test_a_quarter_less_a_point_is_withheld_above_5000_net_of_the_wager_and_300_times",
    ),
    Mutation(
        "tax: withheld is of what is net",
        "domain/tax/__init__.py",
        "withheld_cents(net, figures.rate_bp)",
        "withheld_cents(paid_cents, figures.rate_bp)",
        _TAX + "test_a_quarter_less_a_point_is_withheld_above_5000_net_of_the_wager_and_300_times",
    ),
    # Mysteries
    Mutation(
        "mystery: the wager that reaches the trigger wins",
        "domain/rounds/mystery.py",
        "trigger_micros <= mark.after_micros:",
        "trigger_micros < mark.after_micros:",
        _MYSTERY + "test_the_trigger_is_passed_where_it_is_reached",
    ),
    Mutation(
        "mystery: only above what the level had been",
        "domain/meters.py",
        "peak_micros=max(self.mystery.peak_micros, mark.after_micros)",
        "peak_micros=mark.after_micros",
        _MYSTERY + "test_a_trigger_that_was_passed_is_not_passed_again_after_the_level_was_lowered",
    ),
    Mutation(
        "mystery: stakes count in settling order",
        "domain/rounds/betting.py",
        "key=lambda each: -each[0].seat",
        "key=lambda each: each[0].seat",
        _MYSTERY + "test_contributions_say_where_they_left_the_level_in_settling_order",
    ),
    Mutation(
        "mystery: the secret is the one committed to",
        "domain/rounds/mystery.py",
        "if told != cycle.commitment:",
        "if False:",
        _MYSTERY + "test_another_secret_an_unknown_level_and_the_old_commitment_are_refused",
    ),
    Mutation(
        "mystery: a new secret for a new cycle",
        "domain/rounds/mystery.py",
        "if known is not None:",
        "if False:",
        _MYSTERY + "test_another_secret_an_unknown_level_and_the_old_commitment_are_refused",
    ),
    Mutation(
        "mystery: two levels have two secrets",
        "domain/meter_decide.py",
        "if given.count(commitment) > 1:",
        "if False:",
        _MYSTERY + "test_a_commitment_is_of_one_level_once_and_never_again",
    ),
    Mutation(
        "mystery: no meter begins with a commitment that was used",
        "domain/meter_decide.py",
        "if known is not None:",
        "if False:",
        _MYSTERY + "test_a_commitment_is_of_one_level_once_and_never_again",
    ),
    Mutation(
        "mystery: the next commitment was used nowhere",
        "domain/rounds/mystery.py",
        "if known is not None:",
        "if known is not None and known.meter == command.meter:",
        _MYSTERY + "test_a_commitment_is_of_one_level_once_and_never_again",
    ),
    Mutation(
        "mystery: a cycle's own wagers",
        "domain/rounds/mystery.py",
        " or mark is None or mark.cycle != cycle:",
        " or mark is None:",
        _MYSTERY + "test_a_wager_of_an_earlier_cycle_does_not_hit_the_next_one",
    ),
    Mutation(
        "mystery: at most what it must hit by",
        "domain/rounds/mystery.py",
        "basis = min(mark.after_micros, must_hit_by)",
        "basis = mark.after_micros",
        _MYSTERY + "test_the_prize_is_at_most_what_it_must_hit_by_and_the_rest_begins_the_next_cycle",
    ),
    Mutation(
        "mystery: the amount of the moment of the wager",
        "domain/rounds/mystery.py",
        "basis = min(mark.after_micros, must_hit_by)",
        "basis = min(level.accrued_micros, must_hit_by)",
        _MYSTERY + "test_a_secret_told_weeks_later_pays_the_round_that_passed_the_trigger",
    ),
    Mutation(
        "mystery: what was moved away is house money",
        "domain/rounds/mystery.py",
        "lacking = max(win - level.accrued_micros, 0)",
        "lacking = 0",
        _MYSTERY + "test_a_prize_that_was_moved_away_meanwhile_is_paid_by_the_house",
    ),
    Mutation(
        "mystery: the reserve pays the reset first",
        "domain/rounds/mystery.py",
        "used = min(level.reserve_micros, reset)",
        "used = 0",
        _MYSTERY + "test_the_reset_of_a_mystery_is_paid_by_its_reserve_first",
    ),
    Mutation(
        "mystery: it resets below what it must hit by",
        "domain/meter_decide.py",
        "            _check_mystery(after)\n",
        "            pass\n",
        _MYSTERY + "test_a_mystery_is_never_reset_to_what_it_must_hit_by",
    ),
    Mutation(
        "mystery: a line is of the meter that is named",
        "domain/rounds/aftermath.py",
        "command.meter in (None, line.hit.meter) and ",
        "",
        _MYSTERY + "test_a_mystery_line_is_not_meant_by_another_meter_or_level",
    ),
    Mutation(
        "mystery: nobody wins in a void round",
        "domain/rounds/mystery.py",
        "line = None if scene.round.voided is not None else award(",
        "line = award(",
        _MYSTERY + "test_a_round_voided_before_its_secret_was_told_has_no_winner_and_the_next_cycle_begins",
    ),
    Mutation(
        "mystery: tax by the stake that fed it",
        "domain/rounds/claims.py",
        "return fed[0].stake_cents",
        "return line.stake_cents",
        _MYSTERY + "test_tax_is_by_the_wager_that_won_the_mystery",
    ),
    Mutation(
        "mystery: tax by the winner's own stake",
        "domain/rounds/claims.py",
        "(taken.seat, taken.meter) == (line.seat, line.hit.meter)]",
        "taken.meter == line.hit.meter]",
        _MYSTERY + "test_tax_is_by_the_winners_own_wager_whatever_others_wagered_before",
    ),
    Mutation(
        "mystery: each meter has its own trigger",
        "domain/rounds/mystery.py",
        "if (taken.meter, part.level) != (meter, level) or",
        "if part.level != level or",
        _MYSTERY + "test_of_two_meters_with_a_mystery_of_one_name_each_has_its_own_winner",
    ),
    Mutation(
        "mystery: reset by the terms in force",
        "domain/rounds/mystery.py",
        "None if meter is None else meter.in_force(command.at).levels",
        "None if meter is None else meter.levels",
        _MYSTERY + "test_a_mystery_is_reset_by_the_terms_in_force_when_its_secret_is_told",
    ),
    Mutation(
        "mystery: a secret is due once what it must hit by is reached",
        "domain/rounds/betting.py",
        "part.mystery.peak_before_micros >= must_hit_by",
        "part.mystery.peak_before_micros > must_hit_by",
        _MYSTERY + "test_a_secret_that_is_due_is_a_finding_of_every_further_contribution",
    ),
    Mutation(
        "mystery: the trigger lies above the beginning",
        "domain/mystery.py",
        "return begins_micros + 1 + drawn",
        "return begins_micros + drawn",
        _MYSTERY + "test_the_trigger_lies_above_the_beginning_and_at_most_at_what_it_must_hit_by",
    ),
    # After settling
    Mutation(
        "a correction is by the difference to what was due",
        "domain/rounds/aftermath.py",
        "            command.due_cents - due,\n",
        "            command.due_cents - line.won_cents,\n",
        _AFTER + "test_a_second_correction_is_the_difference_since_the_first",
    ),
    Mutation(
        "a void takes back on its own gaming day",
        "domain/rounds/aftermath.py",
        "    day = gaming_day(command.at, property_.zone, property_.day_starts)\n",
        "    day = scene.round.opened.gaming_day\n",
        _VOIDS + "test_a_void_takes_back_on_its_own_gaming_day",
    ),
    Mutation(
        "a correction needs two people",
        "domain/rounds/aftermath.py",
        "CORRECTION_PEOPLE = 2",
        "CORRECTION_PEOPLE = 1",
        _AFTER + "test_two_other_people_than_author_and_dealer_approve_a_correction",
    ),
    Mutation(
        "a void takes corrections back, not a toke's",
        "domain/rounds/aftermath.py",
        "if each.player == player and not each.toke),",
        "if each.player == player),",
        _VOIDS + "test_a_void_takes_corrections_back_too_but_not_a_tokes",
    ),
    # The house's hand
    Mutation(
        "seed 004, appendix 1: jacks are high pairs",
        "domain/house_ways/cardroom.py",
        "_HIGH_FROM: Final = 9",
        "_HIGH_FROM: Final = 10",
        _CARDROOM + "test_seed_004_appendix_1_a_high_pair_with_a_high_or_medium_one_always_splits",
    ),
    Mutation(
        "seed 004, appendix 1: three pairs, the highest low",
        "domain/house_ways/cardroom.py",
        'Row("three pairs: the highest low", [groups[0]])',
        'Row("three pairs: the highest low", [groups[1]])',
        _CARDROOM + "test_seed_004_appendix_1_three_pairs_highest_pair_low",
    ),
    Mutation(
        "seed 004, appendix 1: two pairs under 7 keep the straight or flush",
        "domain/house_ways/cardroom.py",
        "case [higher, _] if higher < _MEDIUM_FROM:",
        "case [higher, _] if higher < 0:",
        _CARDROOM + "test_seed_004_appendix_1_two_pairs_under_7_keep_the_straight_or_flush",
    ),
    Mutation(
        "R19: five aces with kings",
        "domain/house_ways/cardroom.py",
        "case [5, 2] if rank_of(groups[1][0]) == KING:",
        "case [5, 2] if rank_of(groups[1][0]) < 0:",
        _CARDROOM + "test_R19_five_aces_three_high_and_two_low_unless_kings_are_held",
    ),
    # The bank, backers, the deal
    Mutation(
        "seed 004, Player Banker: commission on the net win",
        "domain/rounds/settlement.py",
        "line.won_cents = max(lost - won, 0)",
        "line.won_cents = max(lost, 0)",
        _BANK + "test_seed_004_player_banker_surplus_is_his_less_commission_on_the_net",
    ),
    Mutation(
        "seed 004, Player Banker: a shortage is the banker's",
        "domain/rounds/settlement.py",
        "line.returned_cents = at_risk - max(won - lost, 0)",
        "line.returned_cents = at_risk",
        _BANK + "test_seed_004_player_banker_shortage_is_paid_by_the_banker",
    ),
    Mutation(
        "seed 004, Player Banker: the house's hand first",
        "domain/rounds/settlement.py",
        "return [house, *seats, bank, *envy]",
        "return [*seats, house, bank, *envy]",
        _BANK + "test_the_lines_in_order_house_first_seats_down_bank_after_the_last_seat_then_envy",
    ),
    Mutation(
        "seed 004, Another Players Hand: all wagers within the maximum",
        "domain/rounds/betting.py",
        "_check_maximum(command, scene.mains_at(command.seat) + command.amount_cents, terms, scene)",
        "_check_maximum(command, command.amount_cents, terms, scene)",
        "tests/domain/rounds/test_backers.py::test_seed_004_the_total_of_all_wagers_cannot_exceed_the_table_maximum",
    ),
    Mutation(
        "seed 004, Misdealt Hands 3: the fourth exposed card",
        "domain/rounds/dealing.py",
        "exposed <= limit",
        "exposed < limit",
        "tests/domain/rounds/test_dealing.py::test_seed_004_misdealt_hands_3_three_exposed_cards_are_no_misdeal",
    ),
    Mutation(
        "670a.11(e): from the dealer's far right",
        "domain/rounds/scene.py",
        "(-each[0].seat, order[",
        "(each[0].seat, order[",
        _SIX + "test_670a_11_e_hands_are_settled_from_the_dealers_right",
    ),
    Mutation(
        "R23: a forfeited wager is lost",
        "domain/rounds/settlement.py",
        "if forfeited and wager in forfeited:",
        "if forfeited and wager in forfeited and wager.bettor:",
        "tests/domain/rounds/test_forfeits.py::test_R23_a_forfeited_line_loses_its_stake_and_says_so",
    ),
    Mutation(
        "a void needs two people",
        "domain/rounds/aftermath.py",
        "VOID_PEOPLE = 2",
        "VOID_PEOPLE = 1",
        "tests/domain/rounds/test_voids.py::test_two_other_people_than_author_and_dealer_approve_a_void",
    ),
)


class Copy:
    """A copy of the tree in which rules are broken."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, folder / name)

    def passes(self, *tests: str) -> bool:
        """Whether these tests pass here; a test that is not there stops the program."""
        # Without compiled files, since two versions of a module may have one size and one second.
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "pytest", "-q", "-x", "--no-header", "-p", "no:cacheprovider", *tests]
        done = subprocess.run(command, cwd=self._folder, env=environment, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            raise SystemExit(f"pytest ended with {done.returncode} for {' '.join(tests)}:\n{done.stdout}{done.stderr}")
        return done.returncode == 0

    def catches(self, mutation: Mutation) -> bool:
        """Whether the mutation's test fails while its rule is broken."""
        path = self._folder / mutation.file
        whole = path.read_text(encoding="utf-8")
        path.write_text(whole.replace(mutation.old, mutation.new), encoding="utf-8")
        try:
            return not self.passes(mutation.caught_by)
        finally:
            path.write_text(whole, encoding="utf-8")


def main() -> int:
    """Breaks the rules whose name contains the argument, all where there is none; 1 where one survived."""
    wanted = " ".join(sys.argv[1:])
    chosen = [each for each in MUTATIONS if wanted in each.rule]
    survived = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder))
        if not copy.passes(*dict.fromkeys(each.caught_by for each in chosen)):
            raise SystemExit("the named tests do not pass as they are; run make test first")
        for mutation in chosen:
            caught = copy.catches(mutation)
            survived += not caught
            test = mutation.caught_by.rpartition("::")[2]
            print(f"{'caught  ' if caught else 'SURVIVED'}  {mutation.rule}  ({mutation.file}; {test})", flush=True)
    print(f"{len(chosen) - survived} of {len(chosen)} broken rules were caught")
    return int(survived > 0)


if __name__ == "__main__":
    sys.exit(main())

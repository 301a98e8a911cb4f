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

MUTATIONS: Sequence[Mutation] = (
    # Two hands against the banker
    Mutation(
        "seed 004, Object of the Game: a copied high hand is the banker's",
        "domain/games/seven_card.py",
        "five(ours.high, showdown.wheel) > five(",
        "five(ours.high, showdown.wheel) >= five(",
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
        "scene.round.seats[holder] != scene.round.seats[payee]",
        "holder != payee",
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
        "< max(minimum, 1)",
        "<= max(minimum, 1)",
        _ENVY + "test_seed_004_envy_pays_every_other_player_with_five_dollars_on_the_bonus",
    ),
    Mutation(
        "R13: no envy for a seat that sits out",
        "domain/rounds/settlement.py",
        "for holder in sorted(scene.in_play(), reverse=True):",
        "for holder in sorted(scene.round.seats, reverse=True):",
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
        ' == "win" and not line.wager.toke:',
        ' == "win":',
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
        "if wager in scene.round.forfeited:",
        "if wager in scene.round.forfeited and wager.bettor:",
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

"""A winning progressive line as a jackpot: validated or refused, paid once (670a.11(h)(3)(i)(B) and the contract)."""

from __future__ import annotations

import pytest

from domain.rounds.events import JackpotPaid, JackpotRefused, JackpotValidated, LineCorrected, RoundVoided
from tests.domain.rounds.hands import PLAIN, QUADS
from tests.domain.rounds.table import (
    House,
    Order,
    Table,
    a_level,
    a_sheet,
    a_table,
    close,
    correct,
    deal,
    forfeit,
    house_way,
    open_meter,
    open_property,
    open_round,
    pay_jackpot,
    place,
    played,
    publish,
    refuse_jackpot,
    settle,
    shares,
    start,
    validate,
    void,
)

BOTH = {"main": 10_00, "fortune": 5_00, "progressive": 1_00}


def share_table() -> Table:
    sheet = a_sheet(
        id="trial",
        paytables={"trial": shares(("four_of_a_kind", 10, "major"))},
        wagers={"progressive": {"paytable": "trial"}},
    )
    return a_table(sheet=sheet, levels=[a_level("major", 10_000_000_000, rate_bp=0)])


def claimed(*, share: bool = False) -> Table:
    """Seats 5 and 4 hold quads: 75 for 1, or a tenth of the meter; seat 6 wagers and loses."""
    table = share_table() if share else a_table()
    orders = played({6: BOTH, 5: BOTH, 4: BOTH}, {0: PLAIN, 5: QUADS[0], 4: QUADS[1]})
    return table.given(*orders, settle())


def test_a_floorperson_validates_the_amount_that_settling_fixed() -> None:
    claimed().when(validate(5)).then(JackpotValidated("5.progressive", 5, "progressive", 75_00, "F1", True))


def test_the_amount_is_the_lines_however_late_it_is_validated() -> None:
    table = claimed(share=True)
    table.given(open_round("R2", number=2, sheet="trial@1"), place(5, "main", 10_00), place(5, "progressive", 1_00))
    table.given(close(), start(1), deal({0: PLAIN, 5: QUADS[2]}), house_way(5), settle())
    assert table.level("major").accrued_micros == 7_290_000_000
    assert table.when(validate(5, round="R1")).one(JackpotValidated).amount_cents == 1_000_00
    assert table.when(pay_jackpot(5, round="R1")).one(JackpotPaid).amount_cents == 1_000_00


def test_without_the_systems_light_a_validation_has_a_finding() -> None:
    outcome = claimed().when(validate(5, signal=False))
    assert outcome.findings == [("jackpot.no-signal", 5)]
    assert outcome.details[0].wager == "progressive"


def test_the_rounds_dealer_neither_validates_nor_refuses() -> None:
    table = claimed()
    table.when(validate(5, validated_by="D1")).refused("approval.insufficient")
    table.when(refuse_jackpot(5, refused_by="D1")).refused("approval.insufficient")
    table.when(validate(5, validated_by="F1")).accepted()


@pytest.mark.parametrize("order", [validate, refuse_jackpot])
def test_a_claim_is_decided_once(order: type) -> None:
    table = claimed().given(order(5))
    table.when(validate(5)).refused("jackpot.state")
    table.when(refuse_jackpot(5)).refused("jackpot.state")
    table.when(validate(4)).accepted()


def test_a_refused_claim_names_amount_person_and_reason() -> None:
    claimed().when(refuse_jackpot(5)).then(
        JackpotRefused("5.progressive", 5, "progressive", 75_00, "F1", "cards were switched")
    )


def test_a_refused_claim_is_not_paid() -> None:
    message = claimed().given(refuse_jackpot(5)).when(pay_jackpot(5)).refused("jackpot.state")
    assert "was refused" in message


def test_a_claim_is_paid_only_after_validation_and_only_once() -> None:
    table = claimed()
    assert "not validated" in table.when(pay_jackpot(5)).refused("jackpot.state")
    table.given(validate(5)).when(pay_jackpot(5)).then(
        JackpotPaid(
            "R1",
            "5.progressive",
            5,
            "progressive",
            75_00,
            "S1",
            "cage",
            "CAGE1",
            "F2",
            75_00,
            gaming_day="2026-05-04",
            tax_year=2026,
        )
    )
    assert "slip S1" in table.when(pay_jackpot(5, slip="S2")).refused("jackpot.state")


def test_a_share_of_the_meter_is_never_paid_from_the_rack() -> None:
    table = claimed(share=True).given(validate(5))
    assert "10% of major" in table.when(pay_jackpot(5, paid_from="rack")).refused("jackpot.from-rack")
    table.when(pay_jackpot(5, paid_from="cage")).accepted()


def test_odds_may_be_paid_from_the_rack() -> None:
    claimed().given(validate(5)).when(pay_jackpot(5, paid_from="rack")).accepted()


def test_a_slip_pays_one_line_in_the_whole_ledger() -> None:
    table = claimed().given(validate(5), validate(4), pay_jackpot(5))
    message = table.when(pay_jackpot(4)).refused("slip.used")
    assert "5.progressive" in message and "R1" in message
    table.given(pay_jackpot(4, slip="S2"), open_round("R2", number=2))
    table.given(place(5, "main", 10_00), place(5, "progressive", 1_00), close(), start(1))
    table.given(deal({0: PLAIN, 5: QUADS[2]}), house_way(5), settle(), validate(5))
    table.when(pay_jackpot(5, slip="S2")).refused("slip.used")
    table.when(pay_jackpot(5, slip="S3")).accepted()


def test_who_pays_does_not_witness() -> None:
    table = claimed().given(validate(5))
    table.when(pay_jackpot(5, witness="CAGE1")).refused("approval.insufficient")
    table.when(pay_jackpot(5, witness="F1")).accepted()


@pytest.mark.parametrize(("seat", "wager"), [(6, "progressive"), (5, "fortune"), (5, "main"), (3, "progressive")])
def test_only_a_winning_progressive_line_is_a_jackpot(seat: int, wager: str) -> None:
    table = claimed()
    for order in (validate(seat), refuse_jackpot(seat), pay_jackpot(seat)):
        table.when(order.but(wager=wager)).refused("line.unknown")


def test_a_forfeited_progressive_is_no_jackpot() -> None:
    table = a_table().given(*played({5: BOTH}, {0: PLAIN, 5: QUADS[0]}), forfeit(5, "progressive"), settle())
    table.when(validate(5)).refused("line.unknown")


def test_jackpots_are_decided_after_settling() -> None:
    table = a_table().given(*played({5: BOTH}, {0: PLAIN, 5: QUADS[0]}))
    for order in (validate(5), refuse_jackpot(5), pay_jackpot(5)):
        table.when(order).refused("command.out-of-phase")


def test_a_round_is_not_voided_once_a_jackpot_of_it_was_paid() -> None:
    table = claimed().given(validate(5), pay_jackpot(5))
    assert "slip S1" in table.when(void()).refused("jackpot.paid")
    for given in ([], [validate(5)], [refuse_jackpot(5)]):
        claimed().given(*given).when(void()).accepted()


def test_a_slip_that_differs_by_25_dollars_or_more_needs_a_supervisor() -> None:
    for slip in (50_00, 100_00):
        message = claimed().given(validate(5)).when(pay_jackpot(5, amount_cents=slip)).refused("approval.insufficient")
        assert "$25.00" in message
    for slip in (50_01, 99_99):
        claimed().given(validate(5)).when(pay_jackpot(5, amount_cents=slip)).accepted()


def test_the_difference_between_slip_and_line_is_kept_with_who_allowed_it() -> None:
    event = claimed().given(validate(5)).when(pay_jackpot(5, amount_cents=150_00, supervisor="M1")).one(JackpotPaid)
    assert (event.amount_cents, event.paid_cents, event.difference_cents, event.supervisor) == (
        75_00,
        150_00,
        75_00,
        "M1",
    )


def test_a_slip_that_says_what_the_line_says_needs_nobody_else() -> None:
    event = claimed().given(validate(5)).when(pay_jackpot(5, amount_cents=75_00)).one(JackpotPaid)
    assert (event.paid_cents, event.difference_cents, event.supervisor) == (75_00, 0, None)


@pytest.mark.parametrize("wrong", ["C1", "CAGE1", "D1"])
def test_a_supervisor_is_not_the_author_the_payer_or_the_dealer(wrong: str) -> None:
    table = claimed().given(validate(5))
    table.when(pay_jackpot(5, amount_cents=1_00, supervisor=wrong)).refused("approval.insufficient")
    table.when(pay_jackpot(5, supervisor=wrong)).refused("approval.insufficient")


def test_a_property_has_a_threshold_of_its_own() -> None:
    house = Table(House()).given(open_property(supervisor_from_cents=1), open_meter(), publish(a_sheet()))
    house.given(open_round(), *played({5: BOTH}, {0: PLAIN, 5: QUADS[0]}), settle(), validate(5))
    assert "$0.01" in house.when(pay_jackpot(5, amount_cents=75_01)).refused("approval.insufficient")
    house.when(pay_jackpot(5, amount_cents=75_00)).accepted()


def paid(won_share: int, *, stake: int = 1_00, at: str = "2026-05-04T18:00:00-04:00", **keys: object) -> JackpotPaid:
    """A tenth of the meter is won by `stake`: `won_share` cents."""
    sheet = a_sheet(
        id="trial",
        paytables={"trial": shares(("four_of_a_kind", 10, "major"))},
        wagers={"progressive": {"paytable": "trial", "max_cents": 500_00}},
    )
    table = a_table(sheet=sheet, levels=[a_level("major", won_share * 100_000, rate_bp=0)])
    wagers = {"main": 10_00, "progressive": stake}
    table.given(*played({5: wagers}, {0: PLAIN, 5: QUADS[0]}), settle(), validate(5))
    return table.when(pay_jackpot(5, at=at, **keys)).one(JackpotPaid)


def test_the_tax_on_a_payment_is_computed_and_carried_with_the_forms_reference() -> None:
    event = paid(10_001_00, form="W2G-0017")
    assert (event.tax_year, event.form_due, event.form, event.withheld_cents) == (2026, "W-2G", "W2G-0017", 240_000)
    small = paid(1999_99)
    assert (small.form_due, small.form, small.withheld_cents) == (None, None, 0)


def test_the_year_of_a_payment_is_the_propertys_calendar_year() -> None:
    assert paid(1_000_00, at="2025-12-31T23:59:59-05:00").form_due == "W-2G"
    assert paid(1_000_00, at="2026-01-01T00:00:00-05:00").form_due is None
    assert paid(1_000_00, at="2026-01-01T04:59:59Z").form_due == "W-2G"


def test_a_payment_counts_on_the_gaming_day_on_which_it_is_made() -> None:
    assert paid(1_000_00, at="2026-06-01T05:59:59-04:00").gaming_day == "2026-05-31"
    assert paid(1_000_00, at="2026-06-01T10:00:00Z").gaming_day == "2026-06-01"


def test_tax_is_on_what_the_slip_says() -> None:
    event = paid(1_999_00, amount_cents=2_000_00)
    assert (event.form_due, event.difference_cents) == ("W-2G", 1_00)


def test_tax_is_on_the_payment_with_the_stake_that_is_given_back() -> None:
    # $2.00 at 299 to 1 is $598.00 won and $600.00 paid; at 298 to 1 it is $598.00 paid.
    due = []
    for odds in (299, 298):
        line = {"hand": "four_of_a_kind", "kind": "to_1", "n": odds}
        terms = {"progressive": {"paytable": "trial", "max_cents": 500_00}}
        table = a_table(sheet=a_sheet(id="trial", paytables={"trial": [line]}, wagers=terms))
        table.given(*played({5: {"main": 10_00, "progressive": 2_00}}, {0: PLAIN, 5: QUADS[0]}), settle(), validate(5))
        due.append(table.when(pay_jackpot(5, at="2025-12-01T00:00:00Z")).one(JackpotPaid).form_due)
    assert due == ["W-2G", None]


def test_a_house_that_reports_net_takes_the_wager_off() -> None:
    assert paid(30_000_00, stake=100_00).form_due == "W-2G"
    assert paid(30_000_00, stake=100_00).withheld_cents == 0
    assert paid(30_100_00, stake=100_00).withheld_cents == 720_000


CORRECTED = correct(5, "progressive", 60_00)


@pytest.mark.parametrize("orders", [(CORRECTED, validate(5)), (validate(5), CORRECTED)])
def test_a_jackpot_pays_what_its_line_was_corrected_to_before_it_is_paid(orders: tuple[Order, Order]) -> None:
    event = claimed().given(*orders).when(pay_jackpot(5)).one(JackpotPaid)
    assert (event.amount_cents, event.paid_cents, event.difference_cents, event.supervisor) == (60_00, 60_00, 0, None)


@pytest.mark.parametrize(
    "orders",
    [
        (correct(5, "progressive", 0), validate(5)),
        (validate(5), correct(5, "progressive", 0)),
        (CORRECTED, validate(5), correct(5, "progressive", 0)),
    ],
)
def test_a_jackpot_whose_line_was_corrected_to_nothing_is_not_paid(orders: tuple[Order, ...]) -> None:
    table = claimed().given(*orders)
    assert "$75.00" in table.when(pay_jackpot(5)).refused("jackpot.nothing-due")
    table.when(pay_jackpot(5, amount_cents=75_00, supervisor="M1")).refused("jackpot.nothing-due")
    again = table.given(correct(5, "progressive", 40_00)).when(pay_jackpot(5)).one(JackpotPaid)
    assert (again.amount_cents, again.paid_cents) == (40_00, 40_00)


def test_who_validates_or_refuses_after_a_correction_decides_on_what_is_left() -> None:
    assert claimed().given(CORRECTED).when(validate(5)).one(JackpotValidated).amount_cents == 60_00
    assert claimed().given(CORRECTED).when(refuse_jackpot(5)).one(JackpotRefused).amount_cents == 60_00


def test_a_slip_differs_from_the_line_as_corrected() -> None:
    table = claimed().given(validate(5), CORRECTED)
    assert "$25.00" in table.when(pay_jackpot(5, amount_cents=85_00)).refused("approval.insufficient")
    event = table.when(pay_jackpot(5, amount_cents=75_00)).one(JackpotPaid)
    assert (event.amount_cents, event.paid_cents, event.difference_cents) == (60_00, 75_00, 15_00)


def test_a_correction_after_the_payment_leaves_the_slip_and_is_a_difference_of_its_own() -> None:
    table = claimed().given(validate(5), pay_jackpot(5))
    assert table.when(CORRECTED).one(LineCorrected).difference_cents == -15_00
    assert [each.paid_cents for each in table.events(JackpotPaid)] == [75_00]
    table.when(pay_jackpot(5, slip="S2")).refused("jackpot.state")


def test_the_void_of_a_corrected_claim_takes_both_back() -> None:
    reversals = claimed().given(CORRECTED, validate(5)).when(void()).one(RoundVoided).players
    mine = next(each for each in reversals if each.player == "P5")
    assert mine.corrected_cents == -15_00
    claimed().given(correct(5, "progressive", 0), validate(5)).when(void()).accepted()


def test_the_meter_keeps_what_a_corrected_share_took_from_it() -> None:
    # A correction of a meter line is house money.
    table = claimed(share=True)
    before = table.level("major")
    table.given(correct(5, "progressive", 400_00), validate(5), pay_jackpot(5))
    assert table.level("major") == before
    assert [each.paid_cents for each in table.events(JackpotPaid)] == [400_00]


def test_tax_is_on_what_a_corrected_line_pays() -> None:
    table = share_table().given(*played({5: BOTH}, {0: PLAIN, 5: QUADS[0]}), settle(), validate(5))
    event = table.given(correct(5, "progressive", 2_500_00)).when(pay_jackpot(5)).one(JackpotPaid)
    assert (event.paid_cents, event.form_due) == (2_500_00, "W-2G")
    less = share_table().given(*played({5: BOTH}, {0: PLAIN, 5: QUADS[0]}), settle(), validate(5))
    event = less.given(correct(5, "progressive", 1_999_99)).when(pay_jackpot(5)).one(JackpotPaid)
    assert (event.paid_cents, event.form_due) == (1_999_99, None)


def test_the_stake_that_a_corrected_line_gives_back_is_no_part_of_the_jackpot() -> None:
    line = {"hand": "four_of_a_kind", "kind": "to_1", "n": 50}
    table = a_table(
        sheet=a_sheet(id="trial", paytables={"trial": [line]}, wagers={"progressive": {"paytable": "trial"}})
    )
    table.given(*played({5: BOTH}, {0: PLAIN, 5: QUADS[0]}), settle(), validate(5))
    table.given(correct(5, "progressive", 1_00))
    table.when(pay_jackpot(5)).refused("jackpot.nothing-due")
    table.given(correct(5, "progressive", 31_00))
    assert table.when(pay_jackpot(5)).one(JackpotPaid).paid_cents == 30_00

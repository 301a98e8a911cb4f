"""Settling a round: every wager's line in the table's order, hits, bank, envy, and the proof that nothing is lost.

The order of work is not the order of the lines: what wins first, then what the meter gives (R14), then the payout
limit, then commission on what is left (R12), then the bank's own line and the totals.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby

from domain.games.game import WagerRule
from domain.meters import Meter
from domain.money import MICROS_PER_CENT, commission_cents
from domain.rounds.events import (
    HOUSE,
    Event,
    Finding,
    HandReset,
    PlayedMain,
    RoundSettled,
    Totals,
)
from domain.rounds.jackpots import hits
from domain.rounds.lines import Line
from domain.rounds.payout_limit import cut_to_limit
from domain.rounds.refusals import HandNotSet
from domain.rounds.scene import Scene
from domain.rounds.showdown import Showdown, Verdict
from domain.rounds.state import SetHands, Wager
from domain.rounds.totals import totals_of


def check_ready(scene: Scene) -> None:
    """Refuses settling while a hand that it needs is not set or, where hands are not split, not decided."""
    if scene.game.split is not None:
        done, what = set(scene.round.set_hands), "set its hand; set it (or the house way)"
    else:
        raised = {wager.seat for wager in scene.round.stakes if wager.wager == "raise"}
        done, what = raised | scene.round.folded, "decided; raise or fold"
    waiting = [seat for seat in scene.in_play() if seat not in done]
    if waiting:
        raise HandNotSet(f"seat {', '.join(map(str, waiting))} has not {what} before settling")


def settle(scene: Scene, meters: Mapping[str, Meter]) -> tuple[Event, ...]:
    """All lines of the round and its totals, from hands, stakes, sheet and the meters' readings alone.

    Raises HandNotSet. The totals sum to zero or the program stops.
    """
    check_ready(scene)
    resets, showdown = _showdown(scene)
    lines = [*_seat_lines(scene, showdown), *_envy_lines(scene, showdown)]
    _take_hits(lines, scene, meters)
    if scene.sheet.payout_limit_cents is not None:
        cut_to_limit(lines, scene.sheet.payout_limit_cents)
    lines = [line for line in lines if line.wager.wager != "envy" or line.won_cents]
    _take_commission(lines, scene)
    if scene.round.bank is not None:
        lines = _with_bank(lines, scene, showdown)
    totals = totals_of(lines, scene.round.contributions)
    assert totals.sum_micros == 0, f"round {scene.round.key} does not sum to zero: {totals}"
    return (*resets, *(line.settled() for line in lines), _round_settled(scene, showdown, totals))


def _showdown(scene: Scene) -> tuple[tuple[Event, ...], Showdown]:
    round_ = scene.round
    if scene.game.split is None:
        return (), Showdown(scene.sheet, HOUSE, round_.hands, {}, round_.folded)
    setting = scene.set_the_house_way(round_.hands[HOUSE])
    set_hands = dict(round_.set_hands)
    set_hands[HOUSE] = SetHands(setting.high, setting.low, "house_way", False, setting.rule)
    resets: tuple[Event, ...] = ()
    bank = round_.bank_seat
    if round_.set_hands.get(bank) and round_.set_hands[bank].foul:
        reset = _reset_banker(bank, scene)
        set_hands[bank] = SetHands(reset.high, reset.low, "house_way", False, reset.rule)
        resets = (reset,)
    return resets, Showdown(scene.sheet, bank, round_.hands, set_hands)


def _reset_banker(seat: int, scene: Scene) -> HandReset:
    # Seed 004, Paying and Taking: Player Banker: a foul banker's hand must be reset the house way.
    setting = scene.set_the_house_way(scene.round.hands[seat])
    finding = Finding("bank.foul-reset", "the banker's foul hand was reset the house way", seat)
    return HandReset(seat, setting.high, setting.low, "house_way", setting.rule, findings=(finding,))


def _seat_lines(scene: Scene, showdown: Showdown) -> Iterator[Line]:
    forfeited = scene.round.forfeited
    for (seat, name), stakes in groupby(scene.stakes(), key=lambda each: each[0][:2]):
        rule = scene.game.wager(name)
        assert rule is not None
        verdict, paid_by = rule.judge(showdown, seat, name), scene.paid_by(name)
        for wager, stake in stakes:
            line = Line(wager, scene.round.owner(wager), stake, verdict, paid_by)
            if forfeited and wager in forfeited:
                line.verdict = Verdict("forfeited", "floorperson's decision on an abandoned wager", "R23")
            _pay(line)
            yield line


def _pay(line: Line) -> None:
    """What the verdict gives before limits, meters and commission."""
    verdict, stake = line.verdict, line.stake_cents
    if verdict.outcome in ("push", "returned"):
        line.returned_cents = stake
    if verdict.outcome != "win" or verdict.line is None:
        return
    paid = verdict.line
    if paid.kind == "to_1":
        assert paid.n is not None
        line.won_cents, line.returned_cents = paid.n * stake, stake
        if paid.n == 0:
            line.verdict = verdict._replace(outcome="push")
    elif paid.kind == "for_1":
        assert paid.n is not None
        line.won_cents = paid.n * stake
    elif paid.kind == "fixed":
        assert paid.cents is not None
        line.won_cents = paid.cents
    else:
        line.paid_by = "meter"


def _envy_lines(scene: Scene, showdown: Showdown) -> Iterator[Line]:
    # R13: Fortune envy, then progressive envy; payees from the highest seat down, for each the holders likewise.
    in_play = scene.in_play()[::-1]
    for rule in scene.game.wagers:
        terms = scene.sheet.wagers.get(rule.id)
        if terms is None or terms.envy is None:
            continue
        cite = scene.game.cites[f"envy.{rule.id}"]
        envied = _envied(terms.envy.cents, in_play, scene, showdown)
        for payee in _envious(rule, scene) if envied else ():
            player = scene.round.seats[payee]
            for holder, hand in envied.items():
                if scene.round.seats[holder] != player:
                    yield Line(
                        Wager(payee, "envy"),
                        player,
                        0,
                        Verdict("win", cite, "R13", hand=hand),
                        won_cents=terms.envy.cents[hand],
                        for_seat=holder,
                        kind=rule.id,
                    )


def _envied(paid: Collection[str], in_play: Iterable[int], scene: Scene, showdown: Showdown) -> dict[int, str]:
    """Which of these seats' hands the table pays others for, in their order."""
    first_class = scene.game.first_class
    found = {seat: first_class(showdown.cards[seat], paid) for seat in in_play}
    return {seat: hand for seat, hand in found.items() if hand is not None}


def _envious(rule: WagerRule, scene: Scene) -> Iterator[int]:
    """Seats with enough on the bonus to be paid for another player's hand, from the highest down."""
    # The minimum is the bonus wager's; any progressive stake earns envy.
    minimum = 0 if rule.meter else scene.sheet.envy_minimum_cents or 0
    for payee in sorted(scene.round.seats, reverse=True):
        if scene.round.stake_cents(payee, rule.id) >= max(minimum, 1):
            yield payee


def _take_hits(lines: Iterable[Line], scene: Scene, meters: Mapping[str, Meter]) -> None:
    claims = [line for line in lines if line.paid_by == "meter"]
    if not claims:
        return
    policy = scene.sheet.options["R14"]
    asked = []
    for line in claims:
        paid = line.verdict.line
        assert paid is not None and paid.percent is not None and paid.level is not None
        asked.append((scene.sheet.wagers[line.wager.wager].paying_meter(paid), paid.level, paid.percent))
    for line, hit in zip(claims, hits(asked, meters, policy), strict=True):
        line.hit = hit
        line.won_cents = hit.win_micros // MICROS_PER_CENT
        line.verdict = line.verdict._replace(ruling="R14" if len(claims) > 1 else "R21")


def _take_commission(lines: list[Line], scene: Scene) -> None:
    # Seed 004, Commission; a backer's is owed by the seat's own wager, a toke's by nobody.
    terms = scene.sheet.commission
    if terms is None:
        return
    mains = [line for line in lines if line.wager.wager == scene.base and not line.wager.toke]
    own = {line.wager.seat: line for line in mains if line.wager.own}
    for line in mains:
        if line.verdict.outcome == "win":
            own[line.wager.seat].commission_cents += commission_cents(line.won_cents, terms.bp, terms.rounding)


def _with_bank(lines: list[Line], scene: Scene, showdown: Showdown) -> list[Line]:
    """The house's line first, the bank's after the last seat: the banker's net is L - W less commission on a win."""
    house = _house_line(scene, showdown)
    against = [house, *(line for line in lines if line.paid_by == "bank")]
    lost = sum(line.stake_cents - line.returned_cents for line in against)
    won = sum(line.won_cents for line in against)
    bank = _bank_line(sum(line.stake_cents for line in against), lost, won, scene)
    seats = [line for line in lines if line.wager.wager != "envy"]
    envy = [line for line in lines if line.wager.wager == "envy"]
    return [house, *seats, bank, *envy]


def _house_line(scene: Scene, showdown: Showdown) -> Line:
    bank = scene.round.bank
    assert bank is not None
    rule = scene.game.wager(scene.base)
    assert rule is not None
    line = Line(
        Wager(HOUSE, "house"), None, bank.house_wager_cents, rule.judge(showdown, HOUSE, scene.base), paid_by="bank"
    )
    _pay(line)
    return line


def _bank_line(at_risk: int, lost: int, won: int, scene: Scene) -> Line:
    bank = scene.round.bank
    assert bank is not None
    outcome = "win" if lost > won else "push" if lost == won else "lose"
    line = Line(
        Wager(bank.seat, "bank"), bank.player, at_risk, Verdict(outcome, scene.game.cites["bank"]), paid_by="bank"
    )
    line.won_cents = max(lost - won, 0)
    line.returned_cents = at_risk - max(won - lost, 0)
    terms = scene.sheet.commission
    if terms is not None:
        line.commission_cents = commission_cents(line.won_cents, terms.bp, terms.rounding)
    return line


def _round_settled(scene: Scene, showdown: Showdown, totals: Totals) -> RoundSettled:
    round_ = scene.round
    dealer = showdown.set_hands.get(HOUSE, SetHands((), (), "house_way", False, None))
    assert round_.closed is not None
    return RoundSettled(
        round=round_.key,
        property=round_.opened.property,
        table=round_.opened.table,
        bank=round_.bank_seat,
        button=round_.closed.button,
        dealer_high=dealer.high,
        dealer_low=dealer.low,
        dealer_rule=dealer.rule or "",
        totals=totals,
        banker=None if round_.bank is None else round_.bank.player,
        played=tuple(_played(scene)),
    )


def _played(scene: Scene) -> Iterator[PlayedMain]:
    for seat in scene.in_play():
        main = scene.round.stake_cents(seat, scene.base) if scene.round.bank is None else 0
        yield PlayedMain(scene.round.seats[seat], main)

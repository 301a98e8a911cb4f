"""Wagers before the cards: placing, withdrawing, taking the bank, and no more bets with what meters get."""

from __future__ import annotations

from collections.abc import Iterator

from domain.commands import CloseBetting, PlaceWager, TakeBank, WithdrawWager
from domain.errors import NotInGame
from domain.games.game import WagerRule
from domain.meters import Level, Meter
from domain.money import FULL_MICROS, MAX_WIN_CENTS, contribution_micros, dollars, dollars_of_micros
from domain.rounds.events import (
    HOUSE,
    BankTaken,
    BettingClosed,
    ContributionTaken,
    Event,
    Finding,
    LevelContribution,
    WagerPlaced,
    WagerWithdrawn,
)
from domain.rounds.refusals import (
    BackerRefused,
    BankRefused,
    BankUncovered,
    LevelFull,
    MainTokeWithBank,
    MeterMystery,
    MeterNotOpen,
    MeterNotOpenYet,
    MeterRetired,
    WagerLimit,
    WagerNeedsMain,
    WagerNone,
    WagerNotOffered,
)
from domain.rounds.scene import Scene
from domain.rounds.state import Wager, wager_named
from domain.seating import next_button
from domain.sheets import WagerTerms
from domain.surroundings import meter_at, table_at
from domain.times import instant


def place_wager(command: PlaceWager, scene: Scene) -> tuple[Event, ...]:
    """Chips onto a wager: the seat's own, a toke riding on it, or a backer's on the main."""
    player = scene.player_at(command.seat)
    rule, terms = _offered(command.wager, scene)
    wager = wager_named(command.seat, command.wager, command.bettor, command.toke)
    standing = scene.round.stakes.get(wager, 0) + command.amount_cents
    if command.toke:
        _check_toke(command, rule, terms, standing, scene)
    elif command.bettor is not None:
        _check_backer(command, player, rule, terms, scene)
    else:
        _check_own(command, rule, terms, standing, scene)
    _check_win(command, rule, standing, scene)
    if scene.round.bank is not None and command.wager == scene.base and not command.toke:
        _check_cover(command, scene.round.bank, scene)
    for meter in terms.meters:
        _check_meter(meter, terms, command.at, scene)
    owner = command.bettor or player
    return (
        WagerPlaced(command.seat, owner, command.wager, command.amount_cents, standing, command.toke, command.bettor),
    )


def withdraw_wager(command: WithdrawWager, scene: Scene) -> tuple[Event, ...]:
    """Chips off a wager, down to nothing or at least the minimum; never from under another wager."""
    player = scene.player_at(command.seat)
    wager = Wager(command.seat, command.wager, command.bettor, command.toke)
    stands = scene.round.stakes.get(wager, 0)
    if command.amount_cents > stands:
        raise WagerNone(
            f"{_name(wager)} has {dollars(stands)} on it; {dollars(command.amount_cents)} can't be taken off"
        )
    left = stands - command.amount_cents
    terms = scene.sheet.wagers[command.wager]
    if wager.own and 0 < left < (terms.min_cents or 0):
        raise WagerLimit(
            f"{_name(wager)} would keep {dollars(left)}, below the sheet's minimum of {dollars(terms.min_cents or 0)} "
            f"({scene.sheet.ref}); take off everything or leave the minimum"
        )
    if wager.own and left == 0:
        _check_nothing_rides(wager, scene)
    owner = command.bettor or player
    return (WagerWithdrawn(command.seat, owner, wager.wager, command.amount_cents, left, command.toke, command.bettor),)


def take_bank(command: TakeBank, scene: Scene) -> tuple[Event, ...]:
    """A player banks the round (seed 004, Paying and Taking: Player Banker)."""
    if not scene.game.player_bank:
        raise NotInGame(f"{command.NAME} is no part of {scene.game.title}")
    player = scene.player_at(command.seat)
    round_ = scene.round
    if not scene.sheet.player_bank:
        raise BankRefused(f"sheet {scene.sheet.ref} has no player bank; the house banks this round")
    if round_.bank is not None:
        raise BankRefused(f"seat {round_.bank_seat} has the bank of this round already")
    if scene.mains_at(command.seat):
        raise BankRefused(f"seat {command.seat} has a {scene.base} wager; withdraw it before taking the bank")
    if any(wager.toke and wager.wager == scene.base for wager in round_.stakes):
        raise MainTokeWithBank("a toke stands on a main wager; while a player banks tokes ride on the bonus only")
    at_risk = _mains(scene) + command.house_wager_cents
    if command.chips_cents < at_risk:
        raise BankUncovered(
            f"seat {command.seat} has {dollars(command.chips_cents)} for {dollars(at_risk)} at risk (the others' mains "
            f"and the house wager); buy in for {dollars(at_risk - command.chips_cents)} more or leave the bank"
        )
    findings = _house_wager_findings(command, player, scene)
    return (BankTaken(command.seat, player, command.chips_cents, command.house_wager_cents, at_risk, findings),)


def close_betting(command: CloseBetting, scene: Scene) -> tuple[Event, ...]:
    """No more bets: the button is where it is, and progressive stakes are taken with their contributions (R15)."""
    round_ = scene.round
    table = table_at(scene.around, round_.opened.property, round_.opened.table)
    first_round = table.last_mains is None
    active = scene.in_play()
    button = HOUSE if first_round or not active else next_button(table.button, active)
    findings = _out_of_turn(button, table.banked, scene)
    closed = BettingClosed(sum(round_.stakes.values()), button, findings)
    return (closed, *_contributions(command, scene))


def _offered(wager: str, scene: Scene) -> tuple[WagerRule, WagerTerms]:
    rule, terms = scene.game.wager(wager), scene.sheet.wagers.get(wager)
    if rule is None or terms is None or not rule.placed:
        offered = ", ".join(id_ for id_ in scene.sheet.wagers if (known := scene.game.wager(id_)) and known.placed)
        raise WagerNotOffered(f"{wager!r} is not on offer on sheet {scene.sheet.ref}; on offer: {offered}")
    return rule, terms


def _check_own(command: PlaceWager, rule: WagerRule, terms: WagerTerms, standing: int, scene: Scene) -> None:
    is_banker = command.seat == scene.round.bank_seat
    if rule.base and is_banker:
        raise BankRefused(f"seat {command.seat} has the bank and can't wager against it")
    if not rule.base and not is_banker and not scene.round.stake_cents(command.seat, scene.base):
        raise WagerNeedsMain(f"seat {command.seat} needs a {scene.base} wager before {rule.id}")
    total = standing
    if rule.base:
        total += scene.mains_at(command.seat) - scene.round.stake_cents(command.seat, rule.id)
    assert terms.min_cents is not None and terms.max_cents is not None
    if standing < terms.min_cents:
        raise WagerLimit(
            f"seat {command.seat}'s {rule.id} wager of {dollars(standing)} is below the sheet's minimum of "
            f"{dollars(terms.min_cents)} ({scene.sheet.ref}); place at least that"
        )
    _check_maximum(command, total, terms, scene)


def _check_maximum(command: PlaceWager, total: int, terms: WagerTerms, scene: Scene) -> None:
    assert terms.max_cents is not None
    if total > terms.max_cents:
        room = max(terms.max_cents - total + command.amount_cents, 0)
        raise WagerLimit(
            f"seat {command.seat}'s {command.wager} wager of {dollars(total)} is above the sheet's limit of "
            f"{dollars(terms.max_cents)} ({scene.sheet.ref}); place {dollars(room)} or less"
        )


def _check_win(command: PlaceWager, rule: WagerRule, standing: int, scene: Scene) -> None:
    # A double down or a raise is made on the base wager and can't be refused for its amount later.
    offered = scene.sheet.wagers
    odds = offered[rule.id].paytable.most_odds
    if rule.base:
        odds = max([odds, *(offered[id_].paytable.most_odds for id_ in scene.game.made_later if id_ in offered)])
    if odds * standing > MAX_WIN_CENTS:
        raise WagerLimit(
            f"seat {command.seat}'s {command.wager} wager of {dollars(standing)} could win {odds} times that, "
            f"above the {dollars(MAX_WIN_CENTS)} that are accounted for; place {dollars(MAX_WIN_CENTS // odds)} or less"
        )


def _check_toke(command: PlaceWager, rule: WagerRule, terms: WagerTerms, standing: int, scene: Scene) -> None:
    # Seed 004, Dealer Tokes: on the original wager and the bonus; with a player bank on the bonus only.
    if command.bettor is not None:
        raise BackerRefused("a backer gives no toke; leave out `bettor` or `toke`")
    if terms.toke_max_cents is None:
        raise WagerNotOffered(f"sheet {scene.sheet.ref} has no tokes on {rule.id} (no toke_max_cents)")
    if rule.base and scene.round.bank is not None:
        raise MainTokeWithBank("while a player banks tokes ride on the bonus only")
    if not scene.round.stake_cents(command.seat, rule.id):
        raise WagerNeedsMain(f"seat {command.seat} needs its own {rule.id} wager before a toke on it")
    if standing > terms.toke_max_cents:
        raise WagerLimit(
            f"seat {command.seat}'s toke of {dollars(standing)} on {rule.id} is above the sheet's limit of "
            f"{dollars(terms.toke_max_cents)} ({scene.sheet.ref}); place less"
        )


def _check_backer(command: PlaceWager, player: str, rule: WagerRule, terms: WagerTerms, scene: Scene) -> None:
    # Seed 004, Players Playing on Another Players Hand.
    if not rule.backed:
        raise BackerRefused(f"another player's hand can be backed on {scene.base} only, not on {rule.id}")
    if command.bettor == player:
        raise BackerRefused(f"seat {command.seat} is {player}'s own hand; place the wager without `bettor`")
    if not scene.round.stake_cents(command.seat, rule.id):
        raise WagerNeedsMain(f"seat {command.seat} needs its own {rule.id} wager before anybody backs it")
    _check_maximum(command, scene.mains_at(command.seat) + command.amount_cents, terms, scene)


def _check_cover(command: PlaceWager, bank: BankTaken, scene: Scene) -> None:
    at_risk = _mains(scene) + command.amount_cents + bank.house_wager_cents
    if at_risk > bank.chips_cents:
        raise BankUncovered(
            f"{dollars(at_risk)} would be at risk, above the banker's {dollars(bank.chips_cents)} in chips; "
            f"place {dollars(max(command.amount_cents - at_risk + bank.chips_cents, 0))} or less"
        )


def _check_nothing_rides(wager: Wager, scene: Scene) -> None:
    for other in scene.round.stakes:
        if other == wager or other.seat != wager.seat:
            continue
        if other.wager == wager.wager or wager.wager == scene.base:
            raise WagerNeedsMain(f"{_name(other)} rides on {_name(wager)}; withdraw {_name(other)} first")


def _check_meter(name: str, terms: WagerTerms, at: str, scene: Scene) -> None:
    meter = meter_at(scene.around, name)
    if meter is None:
        raise MeterNotOpenYet(f"meter {name} of sheet {scene.sheet.ref} is not open; open it with open_meter")
    if instant(meter.effective_from) > instant(at):
        raise MeterNotOpen(f"meter {name} is effective from {meter.effective_from}, the wager is of {at}")
    if meter.property != scene.round.opened.property:
        raise MeterNotOpen(
            f"meter {name} belongs to property {meter.property}, the table to {scene.round.opened.property}"
        )
    paid = terms.levels_paid(name)
    missing = paid - meter.levels.keys()
    if missing:
        raise MeterNotOpen(
            f"meter {name} has no level {', '.join(sorted(missing))}, which paytable {terms.paytable.name} pays"
        )
    _check_not_full(meter, "take the round without this wager")
    if meter.all_paid_by_hands():
        return
    _check_not_retired(meter, terms, scene)
    mystery = sorted(level for level in paid if meter.levels[level].mystery is not None)
    if mystery:
        raise MeterMystery(
            f"level {', '.join(mystery)} of meter {name} is a mystery, which no hand wins; publish a version of "
            f"{scene.sheet.ref} whose paytable {terms.paytable.name} does not pay from it"
        )


def _check_not_full(meter: Meter, way_out: str) -> None:
    full = meter.full_levels()
    if full:
        raise LevelFull(
            f"level {', '.join(full)} of meter {meter.meter} has taken in and paid more than the "
            f"{dollars_of_micros(FULL_MICROS)} that are accounted for; {way_out}, and open another meter"
        )


def _check_not_retired(meter: Meter, terms: WagerTerms, scene: Scene) -> None:
    if meter.ended():
        raise MeterRetired(
            f"meter {meter.meter} of sheet {scene.sheet.ref} is retired; publish a version that names another meter"
        )
    retired = sorted(level for level in terms.levels_paid(meter.meter) if meter.levels[level].retired)
    if retired:
        raise MeterRetired(
            f"level {', '.join(retired)} of meter {meter.meter} is retired, and paytable {terms.paytable.name} of "
            f"sheet {scene.sheet.ref} pays from it; publish a version that does not"
        )


def _mains(scene: Scene) -> int:
    return sum(scene.mains_at(seat) for seat in scene.round.seats)


def _house_wager_findings(command: TakeBank, player: str, scene: Scene) -> tuple[Finding, ...]:
    # Seed 004: up to the banker's last wager against the house; the table minimum where he did not play the last hand.
    opened = scene.round.opened
    last_mains = table_at(scene.around, opened.property, opened.table).last_mains or {}
    most = last_mains.get(player) or scene.sheet.wagers[scene.base].min_cents or 0
    if command.house_wager_cents <= most:
        return ()
    text = f"the house wager of {dollars(command.house_wager_cents)} is above {dollars(most)}, " + (
        f"{player}'s last wager against the house" if last_mains.get(player) else "the table minimum"
    )
    return (Finding("bank.house-wager-high", text, command.seat),)


def _out_of_turn(button: int, banked: tuple[str, ...], scene: Scene) -> tuple[Finding, ...]:
    # Seed 004, Moving the bank button: one seat at a time, once for a player as it goes around the table.
    bank = scene.round.bank
    if bank is None:
        return ()
    if bank.seat != button:
        where = "the dealer" if button == HOUSE else f"seat {button}"
        return (Finding("bank.out-of-turn", f"seat {bank.seat} banks while the button is at {where}", bank.seat),)
    if bank.player in banked:
        text = f"{bank.player} banks a second time on this way of the button around the table"
        return (Finding("bank.out-of-turn", text, bank.seat),)
    return ()


def _contributions(command: CloseBetting, scene: Scene) -> Iterator[Event]:
    """In settling order, for each stake to its meters in the sheet's order."""
    fed: dict[str, Meter] = {}
    for wager, stake in sorted(scene.round.stakes.items(), key=lambda each: -each[0].seat):
        for name in scene.sheet.wagers[wager.wager].meters:
            meter = fed.get(name) or meter_at(scene.around, name)
            assert meter is not None, f"meter {name} was open when the wager was placed"
            _check_not_full(meter, "withdraw the wagers that feed it")
            taken = contribution(wager.seat, scene.round.owner(wager), wager.wager, stake, meter.in_force(command.at))
            # Only a mystery asks what an earlier wager of the round left.
            if any(part.mystery is not None for part in taken.levels):
                fed[name] = meter.contributed(taken)
            yield taken


def contribution(seat: int, player: str, wager: str, stake: int, meter: Meter) -> ContributionTaken:
    """What a stake in cents adds to each level of `meter` that is not retired, by the terms that it has."""
    levels = tuple([_part(level, stake) for level in meter.levels.values() if not level.retired])
    most = meter.unreasonable_micros
    doubtful = [part for part in levels if part.increment_micros > most or part.mystery is not None]
    findings = tuple(
        Finding(code, text, seat, wager) for part in doubtful for code, text in _what_is_wrong(part, meter)
    )
    return ContributionTaken(seat, player, wager, stake, meter.meter, levels, findings)


def _part(level: Level, stake: int) -> LevelContribution:
    increment = contribution_micros(stake, level.terms.rate_bp)
    hidden = contribution_micros(stake, level.terms.hidden_rate_bp)
    mark = None if level.mystery is None else level.mystery.mark(level.accrued_micros + increment)
    return LevelContribution(level.terms.level, increment, hidden, mark)


def _what_is_wrong(part: LevelContribution, meter: Meter) -> Iterator[tuple[str, str]]:
    if part.increment_micros > meter.unreasonable_micros:
        text = f"{part.increment_micros} micros to {meter.meter} {part.level}, above {meter.unreasonable_micros}"
        yield "meter.unreasonable", text
    must_hit_by = meter.levels[part.level].terms.must_hit_by_micros
    if part.mystery is not None and must_hit_by is not None and part.mystery.peak_before_micros >= must_hit_by:
        yield "mystery.due", f"{meter.meter} {part.level} was to be hit by {must_hit_by} micros; its secret is due"


def _name(wager: Wager) -> str:
    what = "toke on " if wager.toke else f"{wager.bettor}'s wager on " if wager.bettor else ""
    return f"seat {wager.seat}'s {what}{wager.wager}"

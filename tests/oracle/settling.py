"""Every line of a round in settling order, its envy, its bank, its limit, and what it comes to for everybody."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tests.oracle import outcomes
from tests.oracle.cards import JOKER
from tests.oracle.contained import contained, is_ace_high, is_nothing
from tests.oracle.meters import CENT, Meters
from tests.oracle.money import Pay, commission, given_back, lost, paid, pushed
from tests.oracle.play import OPTIONAL, Play, Stake
from tests.oracle.shares import Hit, shares_of


@dataclass
class Line:
    """One line of a round, in cents."""

    seat: int
    player: str | None
    wager: str
    stake: int
    outcome: str
    odds: str | None = None
    won: int = 0
    returned: int = 0
    commission: int = 0
    paid_by: str = "house"
    ruling: str | None = None
    for_seat: int | None = None
    kind: str | None = None
    toke: bool = False
    bettor: str | None = None

    @property
    def net(self) -> int:
        """What the line adds to its player."""
        return self.won + self.returned - self.stake - self.commission


def settle(play: Play, meters: Meters, at: datetime) -> list[Line]:
    """All lines, in the contract's order. The meters move."""
    if play.bank is not None and play.foul(play.bank):
        play.reset_hand(play.bank, "house_way")
    house = [] if play.bank is None else [house_line(play)]
    lines = [line for seat in sorted(play.seats, reverse=True) for line in seat_lines(play, seat)]
    pay_from_meters(play, lines, meters, at)
    envy = envy_lines(play, "fortune") + envy_lines(play, "progressive")
    keep_to_the_limit(play, lines + envy)
    # An envy line is there only where something is paid, and a limit may leave nothing of it.
    envy = [line for line in envy if line.won]
    take_commission(play, lines)
    bank = [] if play.bank is None else [bank_line(play, house + lines)]
    return house + lines + bank + envy


def seat_lines(play: Play, seat: int) -> list[Line]:
    """A seat's wagers in their order; of one wager its own first."""
    found = []
    for wager in OPTIONAL[play.game]:
        of_wager = [stake for stake in play.stakes if (stake.seat, stake.wager) == (seat, wager)]
        found += [stake_line(play, stake) for stake in sorted(of_wager, key=lambda stake: not stake.own)]
    return found


def stake_line(play: Play, stake: Stake) -> Line:
    """What one wager comes to, before commission and limit."""
    amount = play.stakes[stake]
    if stake in play.forfeited:
        pay, ruling = Pay("forfeited"), "R23"
    else:
        pay, ruling = judged(play, stake, amount)
    banked = play.bank is not None and stake.wager == "main"
    paid_by = "bank" if banked else "meter" if pay.level else "house"
    line = Line(stake.seat, stake.bettor or play.seats[stake.seat], stake.wager, amount, pay.outcome, pay.odds)
    line.won, line.returned, line.paid_by, line.ruling = pay.won, pay.returned, paid_by, ruling or None
    line.toke, line.bettor = stake.toke, stake.bettor
    return line


def judged(play: Play, stake: Stake, amount: int) -> tuple[Pay, str]:
    """How a wager that was left to play ends, and a ruling that must be named."""
    if stake.wager in ("main", "ante", "raise", "double_down"):
        return against_the_dealer(play, stake, amount)
    pay = paid(play.table(stake.wager), classes_for(play, stake), amount)
    by_joker = stake.wager == "insurance" and JOKER in play.hands[stake.seat] and is_nothing(play.hands[stake.seat])
    return pay, "R22" if by_joker else ""


def against_the_dealer(play: Play, stake: Stake, amount: int) -> tuple[Pay, str]:
    """Wagers that compare hands."""
    seat, ruling = stake.seat, ""
    if play.game == "high_card_flush":
        outcome = outcomes.flush(play, seat)
        if stake.wager == "raise" and not outcomes.qualifies(play.dealer):
            return given_back(amount), ""
    elif play.game == "six_card_fortune":
        if stake.wager == "double_down" and not outcomes.has_eights_or_better(play.dealer):
            return given_back(amount), ""
        outcome, gap = outcomes.six_card(play, seat)
        ruling = "R1" if gap else ""
    elif play.game == "commission_free":
        outcome = outcomes.commission_free(play, seat)
        ruling = "R9" if outcomes.is_tiger_9(play) and play.foul(seat) else ""
    elif play.game == "face_up":
        outcome = outcomes.face_up(play, seat)
    else:
        outcome = outcomes.against_the_bank(play, seat)
    return paid_for(play, stake.wager, outcome, amount), ruling


def paid_for(play: Play, wager: str, outcome: str, amount: int) -> Pay:
    """A comparison's result in money."""
    if outcome == "win":
        return paid(play.table(wager), ("win",), amount)
    return pushed(amount) if outcome == "push" else lost()


def classes_for(play: Play, stake: Stake) -> tuple[str, ...]:
    """What the cards that a side wager looks at contain."""
    cards = play.hands[stake.seat]
    if stake.wager == "tiger_9":
        return ("tiger_9",) if outcomes.is_tiger_9(play) else ()
    if stake.wager == "ace_high":
        if not is_ace_high(play.dealer):
            return ()
        both = ("both_ace_high",) if is_ace_high(cards) else ()
        joker = ("dealer_ace_high_joker",) if JOKER in play.dealer else ()
        return (*both, *joker, "dealer_ace_high")
    return contained(cards, play.ranking(stake.wager), play.option("R5"))


def pay_from_meters(play: Play, lines: list[Line], meters: Meters, at: datetime) -> None:
    """R14: the lines that win a share are given it."""
    winning = [line for line in lines if line.paid_by == "meter"]
    hits = [hit_of(play, line) for line in winning]
    for line, cents in zip(winning, shares_of(hits, meters, play.key, at, play.option("R14")), strict=True):
        line.won = cents


def hit_of(play: Play, line: Line) -> Hit:
    """Which level a winning line takes a share of."""
    pay = paid(play.table("progressive"), classes_for(play, Stake(line.seat, "progressive")), line.stake)
    assert pay.level is not None
    return Hit(line.seat, pay.meter or meters_of(play)[0], pay.level, pay.percent)


def meters_of(play: Play) -> list[str]:
    """The meters that the progressive wager feeds."""
    named = play.sheet["wagers"]["progressive"].get("meter", [])
    return [named] if isinstance(named, str) else list(named)


def envy_lines(play: Play, kind: str) -> list[Line]:
    """R13: for each own wager of that kind, each hand of another player that the envy table has."""
    wager = play.sheet["wagers"].get(kind, {})
    if "envy" not in wager:
        return []
    table = play.sheet["envy_tables"][wager["envy"]]
    least = play.sheet.get("envy_minimum_cents", 0) if kind == "fortune" else 0
    found = []
    for payee in sorted(play.seats, reverse=True):
        if play.stakes.get(Stake(payee, kind), -1) < least:
            continue
        for holder in sorted(play.seats, reverse=True):
            other = play.seats[holder] != play.seats[payee] and (play.plays(holder) or holder == play.bank)
            cents = envy_cents(play, table, kind, holder) if other else 0
            if cents:
                line = Line(payee, play.seats[payee], "envy", 0, "win", "fixed", cents)
                line.for_seat, line.kind = holder, kind
                found.append(line)
    return found


def envy_cents(play: Play, table: dict[str, Any], kind: str, holder: int) -> int:
    """What a hand is worth to others."""
    for name in contained(play.hands[holder], play.ranking(kind), play.option("R5")):
        for line in table["lines"]:
            if line["hand"] == name:
                return int(line["cents"])
    return 0


def keep_to_the_limit(play: Play, lines: list[Line]) -> None:
    """`payout_limit_cents`: what a seat's own lines win above it is cut, from the last line back."""
    limit = play.sheet.get("payout_limit_cents")
    if limit is None:
        return
    for seat in play.seats:
        own = [line for line in lines if line.seat == seat and is_own(line) and line.paid_by != "meter"]
        excess = sum(line.won for line in own) - int(limit)
        for line in reversed(own):
            cut = max(0, min(line.won, excess))
            line.won -= cut
            excess -= cut


def is_own(line: Line) -> bool:
    """The seat's player's own line."""
    return line.bettor is None and not line.toke


def take_commission(play: Play, lines: list[Line]) -> None:
    """On winning mains; a backer's is on the seat's own line, and a toke has none."""
    terms = play.sheet.get("commission")
    for line in lines:
        if line.wager == "main" and line.outcome == "win" and not line.toke:
            payer = next(own for own in lines if own.seat == line.seat and own.wager == "main" and is_own(own))
            payer.commission += commission(line.won, terms)


def house_line(play: Play) -> Line:
    """The house's wager against the banker; a copy is the banker's."""
    assert play.bank is not None
    outcome = outcomes.pai_gow(play.house_way(play.dealer), play.laid[play.bank], play.wheel)
    pay = paid_for(play, "main", outcome, play.house_wager)
    line = Line(0, None, "house", play.house_wager, pay.outcome, pay.odds, pay.won, pay.returned)
    line.paid_by = "bank"
    return line


def bank_line(play: Play, lines: list[Line]) -> Line:
    """INTERFACE, "Lines in detail": what the banker won and lost, together."""
    assert play.bank is not None
    against = [line for line in lines if line.paid_by == "bank"]
    risk = sum(line.stake for line in against)
    from_them = sum(line.stake - line.returned for line in against if line.outcome in ("lose", "forfeited"))
    to_them = sum(line.won for line in against)
    line = Line(play.bank, play.seats[play.bank], "bank", risk, "push", returned=risk, paid_by="bank")
    if from_them > to_them:
        line.outcome, line.won = "win", from_them - to_them
        line.commission = commission(line.won, play.sheet.get("commission"))
    elif from_them < to_them:
        line.outcome, line.returned = "lose", risk - (to_them - from_them)
    return line


def void(play: Play) -> list[Line]:
    """Every wager that stood goes back."""
    lines = []
    for seat in sorted(play.seats, reverse=True):
        for line in seat_stakes(play, seat):
            lines.append(line)
    return lines


def seat_stakes(play: Play, seat: int) -> list[Line]:
    """A seat's wagers, each given back."""
    found = []
    for wager in OPTIONAL[play.game]:
        of_wager = [stake for stake in play.stakes if (stake.seat, stake.wager) == (seat, wager)]
        for stake in sorted(of_wager, key=lambda stake: not stake.own):
            amount = play.stakes[stake]
            line = Line(seat, stake.bettor or play.seats[seat], wager, amount, "returned", returned=amount)
            line.toke, line.bettor = stake.toke, stake.bettor
            line.paid_by = "bank" if play.bank is not None and wager == "main" else "house"
            found.append(line)
    return found


def totals(play: Play, lines: list[Line], meters: Meters) -> dict[str, int]:
    """What players, the house, dealers, meter and reserve gain in micros; together nothing.

    Commission and the stakes of progressive wagers are the house's, less what the meter and its reserve took in; a
    reset adds to the meter what the house and the reserve put in.
    """
    seated = [line for line in lines if line.wager != "house"]
    players = sum(-line.stake if line.toke else line.net for line in seated) * CENT
    dealers = sum(line.won + line.returned for line in seated if line.toke) * CENT
    moved = [what for (key, _, _), what in meters.by_round.items() if key == play.key]
    meter, reserve = sum(what.accrued for what in moved), sum(what.reserve for what in moved)
    house = sum(line.stake - line.won - line.returned + line.commission for line in seated if line.paid_by == "house")
    house += sum(line.commission for line in seated if line.paid_by != "house")
    house += sum(line.net for line in lines if line.wager == "house")
    from_meter = [line for line in seated if line.paid_by == "meter"]
    house += sum(line.stake - line.won for line in from_meter)
    return {
        "players_micros": players,
        "dealers_micros": dealers,
        "meter_micros": meter,
        "reserve_micros": reserve,
        # The house pays in what the meters took in, and has what they gave out.
        "house_micros": house * CENT - meter - reserve,
    }

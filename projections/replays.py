"""A round as its events tell it: the replay document, folded on demand from the round's stream and the sheet it pinned.

A document at event N shows only what was known after event N. The dealer's two hands are there from the event that set
them on (before that, only the cards as dealt): by the house way, by which the round is settled, with what the dealer
did beside it. A seat's hands are there when it has set them, lines when they are settled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from domain.cards import JOKER, Hand, show
from domain.desk import PublishedSheet
from domain.games import game
from domain.games.game import Game
from domain.rounds import events as happened
from domain.rounds.claims import JACKPOT_WAGERS, won_now_cents
from domain.rounds.events import HOUSE, Finding, Hit, ReturnedWager, WagerSettled
from domain.rounds.mystery import MYSTERY_WAGER
from domain.rounds.state import Round, SetHands, Wager
from domain.streams import Stream
from ledger.errors import NOT_FOUND, LedgerError
from ledger.integrity import round_integrity
from ledger.records import Record
from ledger.service import Ledger
from projections.comparing import comparisons
from projections.naming import name_of, name_of_flush
from projections.rules import Rules, differences_of
from projections.telling import tell
from projections.viewing import SURVEILLANCE, Viewer

if TYPE_CHECKING:
    from projections.rounds import Filters

Document = dict[str, Any]
E = TypeVar("E", bound=happened.Event)
VOID_CITE = "a void returns every wager whole"


class NoSuchRound(LedgerError):
    """There is no round of that key."""

    code: ClassVar[str] = "round.unknown"
    exit_code: ClassVar[int] = NOT_FOUND


class NoSuchFrame(LedgerError):
    """The round has no event of that number."""

    code: ClassVar[str] = "replay.no-such-frame"
    exit_code: ClassVar[int] = NOT_FOUND


class NoSuchSeat(LedgerError):
    """Nobody sat there in the round."""

    code: ClassVar[str] = "replay.no-such-seat"
    exit_code: ClassVar[int] = NOT_FOUND


def replay(
    ledger: Ledger, round_key: str, at: int | None = None, seat: int | None = None, eyes: Viewer = SURVEILLANCE
) -> Document:
    """The round's document in the contract's form, as it was after its event `at`, from the view of `seat`.

    A seat's view leaves the other seats' hands, wagers, lines and frames out. Cards that `eyes` do not see at that
    moment are `??`, and what could be known from them alone is null. `integrity.verified` is of the whole
    stream, `integrity.head` the hash of the last event shown. Raises NoSuchRound, NoSuchFrame, NoSuchSeat.
    """
    records = _records(ledger, round_key)
    if at is not None and not 1 <= at <= len(records):
        raise NoSuchFrame(f"round {round_key} has events 1 to {len(records)}, not {at}")
    *_, last = _documents(ledger, Rules(ledger), records[:at], seat, eyes, every=False)
    return last


def replay_steps(
    ledger: Ledger, round_key: str, seat: int | None = None, eyes: Viewer = SURVEILLANCE
) -> list[Document]:
    """The round's documents after each of its events in turn, as `replay` gives them one by one, from one reading.

    With `seat` the events that concern other seats only are no steps. Raises NoSuchRound, NoSuchSeat.
    """
    return list(_documents(ledger, Rules(ledger), _records(ledger, round_key), seat, eyes, every=True))


def replay_all(ledger: Ledger, filters: Filters | None = None) -> Iterator[Document]:
    """The documents of the rounds that `filters` mean (None: all), in round order, one at a time."""
    # Who replays one round by its key does not wait for what finds rounds.
    from projections.rounds import EVERY, stream_rounds

    rules = Rules(ledger)
    for row in stream_rounds(ledger, filters or EVERY):
        yield from _documents(ledger, rules, _records(ledger, row["round"]), None, SURVEILLANCE, every=False)


def _records(ledger: Ledger, key: str) -> Sequence[Record]:
    records = ledger.feed.stream(Stream("round", key))
    if not records:
        raise NoSuchRound(f"no round {key} in this ledger")
    return records


def _documents(
    ledger: Ledger, rules: Rules, records: Sequence[Record], seat: int | None, eyes: Viewer, *, every: bool
) -> Iterator[Document]:
    """The document after the last of `records`, or after `every` one of them that concerns `seat`."""
    opened = records[0].event
    assert isinstance(opened, happened.RoundOpened)
    _check_seats(opened, seat, eyes.seat or None)
    verified = round_integrity(ledger, opened.round).verified
    published = rules.published(opened.sheet)
    round_ = Round(opened)
    frames: list[Document] = []
    for count, record in enumerate(records, start=1):
        if count > 1:
            round_.evolve(record.event)
        shown = seat is None or getattr(record.event, "seat", HOUSE) in (HOUSE, seat)
        if shown:
            frames.append(_frame(record, round_, seat, eyes))
        if (every and shown) or count == len(records):
            scene = _Scene(round_, published, records[:count], eyes)
            document = _document(scene)
            document["frames"] = frames[:]
            differences = differences_of(scene.records, rules)
            document["recheck"] = {"matches": not differences, "differences": differences}
            document["integrity"] = {"verified": verified, "head": record.hash.hex()}
            yield document if seat is None else _seen_from(document, seat)


def _check_seats(opened: happened.RoundOpened, *seats: int | None) -> None:
    taken = {each.seat for each in opened.seats}
    for seat in seats:
        if seat is not None and seat not in taken:
            listed = ", ".join(map(str, sorted(taken)))
            raise NoSuchSeat(f"nobody sat at seat {seat} in round {opened.round}; seats taken: {listed}")


class _Scene(NamedTuple):
    round: Round
    published: PublishedSheet
    records: Sequence[Record]
    eyes: Viewer = SURVEILLANCE

    @property
    def game(self) -> Game:
        return game(self.round.opened.game)

    @property
    def options(self) -> Mapping[str, str]:
        options: Mapping[str, str] = self.published.content["options"]
        return options

    @property
    def wheel(self) -> str:
        return self.options.get("R7", "second")

    def show(self, spot: int, cards: Hand | None) -> str | None:
        """The cards of a spot as far as the viewer sees them."""
        return None if cards is None else self.eyes.show(spot, cards, self.round)

    def known(self, spot: int) -> Hand | None:
        """The dealt cards of a spot where the viewer sees them all."""
        return self.round.hands.get(spot) if self.eyes.sees_hand(spot, self.round) else None


def _frame(record: Record, round_: Round, seat: int | None, eyes: Viewer) -> Document:
    """What an event says; `round_` has it taken in."""
    return {
        "version": record.version,
        "position": record.position,
        "at": record.at,
        "by": record.by,
        "event": record.event.NAME,
        "text": tell(record.event, round_, seat, eyes),
    }


def _document(scene: _Scene) -> Document:
    round_ = scene.round
    opened = round_.opened
    voided = round_.voided is not None
    settled = [_line(line) for line in round_.lines.values()]
    return {
        "round": opened.round,
        "game": opened.game,
        "sheet": opened.sheet,
        "property": opened.property,
        "table": opened.table,
        "number": opened.number,
        "gaming_day": opened.gaming_day,
        "status": round_.phase if round_.phase in ("settled", "voided") else "open",
        "bank": _spot(round_.bank_seat, "house"),
        "start": _start(round_),
        "dealer": _dealer(scene),
        "seats": [_seat(scene, seat) for seat in sorted(round_.seats)],
        "lines": _returned(round_) if voided else settled,
        "findings": [_finding(each, scene.eyes) for each in round_.findings if scene.eyes.told(each, round_)],
        "frames": [],
        "recheck": {},
        "integrity": {},
        "reversed_lines": settled if voided else [],
        "phase": round_.phase,
        "misdealt": round_.misdealt,
        "opened_at": scene.records[0].at,
        "dealt_by": opened.dealer,
        "deck": opened.deck,
        "dice": None if round_.start is None or round_.start.dice is None else list(round_.start.dice),
        "stub": round_.stub,
        "exposed": [{"seat": _spot(seat, "dealer"), "card": show((card,))} for seat, card in round_.exposed],
        "banker": _banker(round_),
        "wagers": list(_wagers(round_)),
        "corrections": list(_corrections(scene.records)),
        "payments": list(_payments(scene.records)),
        "jackpots": list(_jackpots(scene)),
        "totals": _totals(round_),
        "void": next(_voids(scene.records), None),
        "comparisons": list(comparisons(round_, scene.game, scene.options, _dealer_hands(round_))),
        "seen_by": scene.eyes.name,
    }


def _finding(finding: Finding, eyes: Viewer) -> Document:
    return {"code": finding.code, "seat": finding.seat, "wager": finding.wager, "text": eyes.text_of(finding)}


def _start(round_: Round) -> Document | None:
    start = round_.start
    if start is None:
        return None
    return {"method": start.method, "number": start.number, "position": _spot(start.position, "dealer")}


def _dealer(scene: _Scene) -> Document:
    cards = scene.known(HOUSE)
    hands = _dealer_hands(scene.round)
    laid = scene.round.dealer_set
    return {
        "cards": scene.show(HOUSE, scene.round.hands.get(HOUSE)),
        **_hands(scene, HOUSE, hands),
        "rule": None if hands is None else hands.rule,
        "best": _best(scene, cards),
        "qualifies": _qualifies(scene, cards),
        "laid_high": None if laid is None else show(laid.high),
        "laid_low": None if laid is None else show(laid.low),
    }


def _dealer_hands(round_: Round) -> SetHands | None:
    """The dealer's hands by the house way, once the dealer has set or the round is settled."""
    if round_.settled is not None:
        settled = round_.settled
        return SetHands(settled.dealer_high, settled.dealer_low, "house_way", False, settled.dealer_rule)
    if round_.dealer_set is not None:
        laid = round_.dealer_set
        return SetHands(laid.house_high, laid.house_low, "house_way", False, laid.rule)
    return None


def _seat(scene: _Scene, seat: int) -> Document:
    round_ = scene.round
    cards = scene.known(seat)
    hands = round_.set_hands.get(seat)
    plays = seat == round_.bank_seat or any(wager.seat == seat for wager in round_.stakes)
    return {
        "seat": seat,
        "player": round_.seats[seat],
        "cards": scene.show(seat, round_.hands.get(seat)),
        **_hands(scene, seat, hands),
        "set_by": None if hands is None else hands.set_by,
        "foul": hands is not None and hands.foul and cards is not None,
        "folded": seat in round_.folded,
        "best": _best(scene, cards) if plays else None,
        "rule": None if hands is None or cards is None else hands.rule,
        **(_facts(scene, cards) if plays else {}),
    }


def _facts(scene: _Scene, cards: Hand | None) -> Document:
    """What else the game says of dealt cards, such as the length of the best straight flush."""
    asked = scene.game.facts
    if asked is None or cards is None or not _whole(scene, cards):
        return {}
    return dict(asked(cards, scene.options))


def _hands(scene: _Scene, spot: int, hands: SetHands | None) -> Document:
    split = scene.game.split
    if hands is None or split is None:
        return {"high": None, "low": None, **_NO_RANKS, "high_name": _flush_name(scene, spot)}
    shown: Document = {"high": scene.show(spot, hands.high), "low": scene.show(spot, hands.low)}
    if scene.known(spot) is None:
        return shown | _NO_RANKS
    return shown | {
        "high_rank": split.category(split.high(hands.high, scene.wheel)),
        "low_rank": split.category(split.low(hands.low)),
        "high_name": name_of(split, hands.high, high=True, wheel=scene.wheel).text,
        "low_name": name_of(split, hands.low, high=False, wheel=scene.wheel).text,
    }


_NO_RANKS: Document = {"high_rank": None, "low_rank": None, "high_name": None, "low_name": None}


def _flush_name(scene: _Scene, spot: int) -> str | None:
    """What cards are called that are not set in two."""
    cards = scene.known(spot)
    if scene.game.split is not None or cards is None or not _whole(scene, cards):
        return None
    return name_of_flush(cards).text


def _best(scene: _Scene, cards: Hand | None) -> str | None:
    """The best class of the cards, once they are dealt."""
    return scene.game.best(cards) if cards is not None and _whole(scene, cards) else None


def _qualifies(scene: _Scene, cards: Hand | None) -> bool | None:
    """Whether the dealer's cards do; None where the game does not ask."""
    asked = scene.game.qualifies
    return None if asked is None or cards is None or not _whole(scene, cards) else asked(cards, scene.wheel)


def _whole(scene: _Scene, cards: Hand) -> bool:
    """Whether the cards are a hand of the game; a misdeal's need not be."""
    right = len(cards) == len(set(cards)) == scene.game.hand_size
    return right and (scene.game.joker or JOKER not in cards)


def _line(line: WagerSettled) -> Document:
    return {
        "line_id": line.line_id,
        "seat": line.seat,
        "player": line.player,
        "wager": line.wager,
        "stake_cents": line.stake_cents,
        "outcome": line.outcome,
        "odds": line.odds,
        "won_cents": line.won_cents,
        "returned_cents": line.returned_cents,
        "commission_cents": line.commission_cents,
        "net_cents": line.net_cents,
        "paid_by": line.paid_by,
        "cite": line.cite,
        "ruling": line.ruling,
        "for_seat": line.for_seat,
        "kind": line.kind,
        "hand": line.hand,
        "meter_reading": None if line.hit is None else _reading(line.hit),
    } | _riding(line)


def _reading(hit: Hit) -> Document:
    return {
        "meter": hit.meter,
        "level": hit.level,
        "percent": hit.percent,
        "accrued_before_micros": hit.accrued_before_micros,
        "reserve_before_micros": hit.reserve_before_micros,
        "basis_micros": hit.basis_micros,
        "win_micros": hit.win_micros,
        "reset_micros": hit.reset_micros,
        "reserve_used_micros": hit.reserve_used_micros,
    }


def _returned(round_: Round) -> list[Document]:
    """The lines of a void: every wager that stood goes back whole."""
    assert round_.voided is not None
    return [_back(each) for each in round_.voided.returned]


def _back(each: ReturnedWager) -> Document:
    return {
        "line_id": each.line_id,
        "seat": each.seat,
        "player": each.player,
        "wager": each.wager,
        "stake_cents": each.stake_cents,
        "outcome": "returned",
        "odds": None,
        "won_cents": 0,
        "returned_cents": each.stake_cents,
        "commission_cents": 0,
        "net_cents": 0,
        "paid_by": each.paid_by,
        "cite": VOID_CITE,
        "ruling": None,
        "for_seat": None,
        "kind": None,
        "hand": None,
        "meter_reading": None,
    } | _riding(each)


def _riding(wager: Wager | WagerSettled | ReturnedWager) -> Document:
    """What tells a toke or a backer's wager from the seat's own."""
    return ({"toke": True} if wager.toke else {}) | ({"bettor": wager.bettor} if wager.bettor is not None else {})


def _banker(round_: Round) -> Document | None:
    bank = round_.bank
    if bank is None:
        return None
    return {
        "seat": bank.seat,
        "player": bank.player,
        "chips_cents": bank.chips_cents,
        "house_wager_cents": bank.house_wager_cents,
        "at_risk_cents": bank.at_risk_cents,
    }


def _wagers(round_: Round) -> Iterator[Document]:
    for wager, cents in sorted(round_.stakes.items(), key=lambda each: (each[0].seat, each[0].wager, str(each[0]))):
        yield {
            "seat": wager.seat,
            "player": round_.owner(wager),
            "wager": wager.wager,
            "stake_cents": cents,
            "forfeited": wager in round_.forfeited,
        } | _riding(wager)


def _corrections(records: Sequence[Record]) -> Iterator[Document]:
    for record, event in _told(records, happened.LineCorrected):
        yield {
            **_signed(record),
            "line_id": event.line_id,
            "seat": event.seat,
            "player": event.player,
            "wager": event.wager,
            "due_cents": event.due_cents,
            "previous_due_cents": event.previous_due_cents,
            "difference_cents": event.difference_cents,
            "gaming_day": event.gaming_day,
            "reason": event.reason,
            "approved_by": list(event.approved_by),
            **({"toke": True} if event.toke else {}),
        }


def _payments(records: Sequence[Record]) -> Iterator[Document]:
    for record, event in _told(records, happened.PaymentReported):
        yield {
            **_signed(record),
            "line_id": event.line_id,
            "seat": event.seat,
            "wager": event.wager,
            "paid_cents": event.paid_cents,
            "expected_cents": event.expected_cents,
            "difference_cents": event.paid_cents - event.expected_cents,
        }


def _told(records: Iterable[Record], kind: type[E]) -> Iterator[tuple[Record, E]]:
    """The events of one kind, each with the record that holds it."""
    for record in records:
        if isinstance(record.event, kind):
            yield record, record.event


def _signed(record: Record) -> Document:
    """Where an event stands in its round, when it was and who gave the command."""
    return {"version": record.version, "at": record.at, "by": record.by}


def _jackpots(scene: _Scene) -> Iterator[Document]:
    """Every winning progressive line with how far its claim has come: claimed, validated, paid, refused or voided."""
    for line in scene.round.lines.values():
        if line.wager in JACKPOT_WAGERS and line.outcome == "win":
            due_cents = won_now_cents(line, scene.round)
            yield {
                "line_id": line.line_id,
                "seat": line.seat,
                "player": line.player,
                "amount_cents": line.won_cents,
                "due_cents": due_cents,
                "state": "claimed",
                "validated_by": None,
                "signal": None,
                "refused_by": None,
                "reason": None,
                "slip": None,
                "paid_from": None,
                "paid_by": None,
                "witness": None,
                "paid_cents": None,
                "difference_cents": None,
                "supervisor": None,
                "form_due": None,
                "form": None,
                "withheld_cents": None,
            } | _held(line, _claim(line.line_id, scene.records), due_cents)


def _held(line: WagerSettled, claim: Document, due_cents: int) -> Document:
    """The claim with whether the cards stay on the table: what is not paid from the rack waits for its papers.

    What was corrected to nothing waits for none.
    """
    waiting = claim.get("state", "claimed") in ("claimed", "validated") and (due_cents > 0 or line.won_cents == 0)
    return claim | {"cards_held": waiting and line.paid_by == "meter" and line.wager != MYSTERY_WAGER}


def _claim(line_id: str, records: Iterable[Record]) -> Document:
    known: Document = {}
    for record in records:
        match record.event:
            case happened.JackpotValidated(line_id=of) as event if of == line_id:
                known |= {"state": "validated", "validated_by": event.validated_by, "signal": event.signal}
            case happened.JackpotRefused(line_id=of) as event if of == line_id:
                known |= {"state": "refused", "refused_by": event.refused_by, "reason": event.reason}
            case happened.JackpotPaid(line_id=of) as event if of == line_id:
                known |= {"state": "paid", "slip": event.slip, "paid_from": event.paid_from}
                known |= {"paid_by": event.paid_by, "witness": event.witness, "paid_cents": event.paid_cents}
                known |= {"difference_cents": event.difference_cents, "supervisor": event.supervisor}
                known |= {"form_due": event.form_due, "form": event.form, "withheld_cents": event.withheld_cents}
            case happened.RoundVoided():
                known |= {"state": "voided"}
    return known


def _totals(round_: Round) -> Document | None:
    if round_.settled is None:
        return None
    totals = round_.settled.totals
    return {
        "players_micros": totals.players_micros,
        "house_micros": totals.house_micros,
        "dealers_micros": totals.dealers_micros,
        "meter_micros": totals.meter_micros,
        "reserve_micros": totals.reserve_micros,
    }


def _voids(records: Iterable[Record]) -> Iterator[Document]:
    for record, event in _told(records, happened.RoundVoided):
        yield {
            "at": record.at,
            "by": record.by,
            "phase": event.phase,
            "reason": event.reason,
            "approved_by": list(event.approved_by),
        }


def _spot(seat: int, house: str) -> int | str:
    return house if seat == HOUSE else seat


def _seen_from(document: Document, seat: int) -> Document:
    """The document with what concerns `seat` or everybody."""
    own = ("seats", "lines", "reversed_lines", "wagers", "corrections", "payments", "jackpots")
    view = {name: [each for each in document[name] if each["seat"] == seat] for name in own}
    view["findings"] = [each for each in document["findings"] if each["seat"] in (None, seat)]
    view["exposed"] = [each for each in document["exposed"] if each["seat"] in ("dealer", seat)]
    return document | view

"""What a replay says in words, the same sentences wherever it is shown: on a terminal, step by step, in a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from cli.tables import micros_text, words
from domain.games import game
from domain.money import dollars

Document = Mapping[str, Any]
Line = Mapping[str, Any]
Spot = Mapping[str, Any]


def title(document: Document) -> str:
    """Which round it is and how it stands."""
    return f"Round {document['round']}: {status(document)}"


def status(document: Document) -> str:
    """How the round stands."""
    void = document["void"]
    if void is not None:
        return f"voided ({void['reason']}; approved by {listed(void['approved_by'])})"
    if document["misdealt"]:
        return "a misdeal, not yet voided"
    return str(document["status"])


def head(document: Document) -> Iterator[str]:
    """Where and when it was played, under which sheet, who banked and who got the first hand."""
    deck = document["deck"] or "not named"
    number = f"number {document['number']} of gaming day {document['gaming_day']}"
    yield f"{game_name(document)} under sheet {document['sheet']}, dealer {document['dealt_by']}, deck {deck}."
    yield f"Table {document['table']} at {document['property']}, {number}, opened {document['opened_at']}."
    yield bank_and_start(document)
    if document["seen_by"] != "surveillance":
        yield f"Seen by {viewer(document)}: cards that do not lie face up for them are ??."


def game_name(document: Document) -> str:
    """The game as a person reads it."""
    return words(document["game"]).capitalize()


def viewer(document: Document) -> str:
    """Whose eyes the round is seen with."""
    name = str(document["seen_by"])
    return f"seat {name.partition(':')[2]}" if ":" in name else "the dealer" if name == "dealer" else name


def bank_and_start(document: Document) -> str:
    """Who banks, and where the first hand goes."""
    banker, start = document["banker"], document["start"]
    bank = "The house banks."
    if banker is not None:
        bank = (
            f"Seat {banker['seat']} ({banker['player']}) banks with {dollars(banker['chips_cents'])} in chips; the "
            f"house wagers {dollars(banker['house_wager_cents'])} against him."
        )
    if start is not None:
        by = "three dice, total" if start["method"] == "dice" else "the machine's number"
        return f"{bank} Start by {by} {start['number']}: the first hand goes to {spot_name(start['position'])}."
    if not game(document["game"]).joker:
        return bank  # The contract asks for a start in joker games only.
    to_come = document["phase"] in ("open", "closed")
    return f"{bank} The start is {'not drawn yet' if to_come else 'not recorded'}."


def spot_name(seat: int | str) -> str:
    """A spot: the dealer, or a seat by its number."""
    return "the dealer" if seat in ("dealer", 0) else f"seat {seat}"


def finding(entry: Mapping[str, Any]) -> str:
    """A finding with its code, where it is and its text."""
    seat = "" if entry["seat"] is None else f", seat {entry['seat']}"
    wager = "" if entry["wager"] is None else f", {words(entry['wager'])}"
    return f"{entry['code']}{seat}{wager}: {entry['text']}"


def spots(document: Document) -> list[Spot]:
    """The dealer and the seats, all with the keys of a seat."""
    dealer = {**document["dealer"], "seat": "dealer", "player": None, "set_by": None, "foul": False, "folded": False}
    if dealer["high"] is not None:
        dealer["set_by"] = "house_way"
    return [dealer, *document["seats"]]


def hand_names(spot: Spot) -> str:
    """What the hands are called, empty where they are not set or not seen."""
    if spot["low_name"] is not None:
        return f"high hand {spot['high_name']}, low hand {spot['low_name']}"
    return spot["high_name"] or ""


def about_hand(spot: Spot, document: Document) -> Iterator[str]:
    """What there is to say of a spot's hand: how it compares or what it is called, the house way's row, and more."""
    names, comparison = hand_names(spot), list(compared(document, spot))
    if names and (spot["foul"] or not comparison):
        yield f"{names}{FOUL if spot['foul'] else ''}"
    yield from comparison
    if spot["best"] is not None and spot["low_name"] is None:
        longest = spot.get("straight_flush_length")
        yield f"best: {words(spot['best'])}" + ("" if longest is None else f", longest straight flush {longest}")
    if spot["seat"] == document["bank"]:
        yield "this seat banks"
    if spot["folded"] and not comparison:
        yield "folded"
    if spot.get("qualifies") is not None:
        yield "qualifies" if spot["qualifies"] else "does not qualify"
    if spot.get("rule"):
        yield f"house way: {spot['rule']}"
    if spot.get("laid_low") is not None and spot["laid_low"] != spot["low"]:
        yield f"the dealer laid {spot['laid_high']} high and {spot['laid_low']} low"


FOUL = "; a FOUL: the low hand outranks the high hand"


def set_by(spot: Spot) -> str:
    """Who set a hand, empty where hands are not set in two or are not dealt."""
    if spot["cards"] is None:
        return ""
    return words(spot["set_by"]) if spot["set_by"] else "not set"


def compared(document: Document, spot: Spot) -> Iterator[str]:
    """How a spot's hands stand against the banker's: "high hand: A-K high loses to a pair of fours"."""
    seat = 0 if spot["seat"] == "dealer" else spot["seat"]
    for each in document["comparisons"]:
        if each["seat"] != seat:
            continue
        text = each["text"]
        if not text.startswith(("A-", "K-", "Q-", "J-", "T-")):
            text = text[:1].lower() + text[1:]
        yield text if each["hand"] in (None, "flush") else f"{each['hand']} hand: {text}"


def wagers_of(document: Document, seat: int) -> str:
    """The wagers that stand on a spot: "main $50.00, fortune $5.00"."""
    return ", ".join(
        f"{what(each)} {dollars(each['stake_cents'])}{' forfeited' if each['forfeited'] else ''}"
        for each in wagers_in_order(document, seat)
    )


def wagers_in_order(document: Document, seat: int | str) -> list[Line]:
    """The wagers that stand on a spot, in settling order."""
    order = game(document["game"]).settling_order
    standing = (each for each in document["wagers"] if each["seat"] == seat)
    return sorted(standing, key=lambda each: order[each["wager"]])


def whose(line: Line) -> str:
    """Whose line it is."""
    if line["wager"] == "house":
        return "House, against the bank"
    if line["wager"] == "bank":
        return f"Bank, seat {line['seat']}, {line['player']}"
    return f"Seat {line['seat']}, {line['player']}"


def what(line: Line) -> str:
    """The wager as the table calls it, with what rides on it."""
    if line.get("kind"):
        return f"envy {line['kind']}"
    riding = " toke" if line.get("toke") else " backed" if line.get("bettor") else ""
    return f"{words(line['wager'])}{riding}"


def figures(line: Line) -> str:
    """A line's figures in one sentence, for a narrow page and for reading aloud."""
    won, returned = dollars(line["won_cents"]), dollars(line["returned_cents"])
    return (
        f"{what(line)}: stake {dollars(line['stake_cents'])}, {OUTCOMES[line['outcome']]}, won {won}, returned "
        f"{returned}, commission {dollars(line['commission_cents'])}, net {signed(line['net_cents'])}."
    )


OUTCOMES = {"win": "wins", "lose": "loses", "push": "pushes", "returned": "goes back", "forfeited": "is forfeited"}


def why(line: Line) -> Iterator[str]:
    """What the line rests on: odds, hand and who pays; the meter's reading; the rule."""
    parts = [line["odds"], words(line["hand"] or ""), f"for seat {line['for_seat']}" if line["for_seat"] else ""]
    said = ", ".join(part for part in [*parts, _paid(line)] if part)
    if said:
        yield said
    reading = line["meter_reading"]
    if reading is not None:
        yield (
            f"{reading['percent']} % of {micros_text(reading['basis_micros'])}, level {reading['level']} of meter "
            f"{reading['meter']}"
        )
    yield rule(line)


def rule(line: Line) -> str:
    """The rule of a line, with its ruling where it rests on one."""
    ruling = "" if line["ruling"] is None else f" [ruling {line['ruling']}]"
    return f"Rule: {line['cite']}{ruling}"


def _paid(line: Line) -> str:
    """Who pays or takes; the house's and the banker's own lines say it by their name."""
    if line["wager"] in ("house", "bank") or line["outcome"] in ("returned", "push"):
        return ""
    return f"{'paid' if line['outcome'] == 'win' else 'taken'} by the {line['paid_by']}"


def corrected(line: Line, document: Document) -> Iterator[str]:
    """Each correction of a line, before and after."""
    for entry in document["corrections"]:
        if entry["line_id"] == line["line_id"]:
            before, after = dollars(entry["previous_due_cents"]), dollars(entry["due_cents"])
            difference = signed(entry["difference_cents"])
            yield f"Corrected by event {entry['version']}: before {before} was due, after it {after}, {difference}"


def correction(entry: Mapping[str, Any]) -> str:
    """A correction in full: what was due before and after, why, and who approved it."""
    due, before = dollars(entry["due_cents"]), dollars(entry["previous_due_cents"])
    return (
        f"Seat {entry['seat']}, {words(entry['wager'])}: {due} is due instead of {before}, a difference of "
        f"{dollars(entry['difference_cents'])}, on gaming day {entry['gaming_day']}; reason: {entry['reason']}. "
        f"By {entry['by']}, approved by {listed(entry['approved_by'])}."
    )


def payment(entry: Mapping[str, Any]) -> str:
    """What really moved for a line, beside what was due."""
    line = f"Seat {entry['seat']}, {words(entry['wager'])}: {dollars(entry['paid_cents'])} moved"
    if entry["difference_cents"] == 0:
        return f"{line}, as was due."
    due, difference = dollars(entry["expected_cents"]), dollars(entry["difference_cents"])
    return f"{line} where {due} was due, a difference of {difference}."


def jackpot(entry: Mapping[str, Any]) -> str:
    """How far the claim of a jackpot has come."""
    paid = f"paid from the {entry['paid_from']} by {entry['paid_by']} on slip {entry['slip']}"
    if entry["difference_cents"]:
        paid += f" with {dollars(entry['paid_cents'])}"
    if entry["withheld_cents"]:
        paid += f" less {dollars(entry['withheld_cents'])} withheld"
    steps = {
        "claimed": "claimed, not yet validated",
        "validated": f"validated by {entry['validated_by']}, not yet paid",
        "paid": f"validated by {entry['validated_by']}, {paid}, witness {entry['witness']}",
        "refused": f"refused by {entry['refused_by']}: {entry['reason']}",
        "voided": "voided with the round",
    }
    held = "; the cards stay on the table until then" if entry["cards_held"] else ""
    amount = dollars(entry["amount_cents"])
    if entry["due_cents"] != entry["amount_cents"]:
        amount += f", corrected to {dollars(entry['due_cents'])}"
    return f"Seat {entry['seat']}, {entry['player']}: {amount}, {steps[entry['state']]}{held}."


def afterwards(document: Document) -> Iterator[tuple[str, list[str]]]:
    """What came after the settlement, a title and its entries each."""
    yield "Corrections", [correction(each) for each in document["corrections"]]
    yield "Payments reported", [payment(each) for each in document["payments"]]
    yield "Jackpots", [jackpot(each) for each in document["jackpots"]]


def lines_by_state(document: Document) -> Iterator[tuple[str, Sequence[Line]]]:
    """The round's lines with a title: once where they stand, before and after where a void took them back."""
    if document["status"] == "open" and not document["lines"]:
        return
    if document["void"] is None:
        yield "Lines, in settling order", document["lines"]
        return
    if document["reversed_lines"]:
        yield "Before the void: the lines that it took back", document["reversed_lines"]
    yield "After the void: every wager goes back", document["lines"]


def net_cents(lines: Iterable[Line]) -> int:
    """What lines bring their players, tokes aside, for they are the dealers'."""
    return sum(line["net_cents"] for line in lines if not line.get("toke"))


def corrected_cents(lines: Iterable[Line], document: Document) -> int | None:
    """What corrections added to these lines, None where there was none."""
    ids = {line["line_id"] for line in lines}
    added = [each["difference_cents"] for each in document["corrections"] if each["line_id"] in ids]
    return sum(added) if added else None


def net(lines: Sequence[Line], document: Document) -> str:
    """What lines bring their players, before and after corrections where there are any."""
    before, added = net_cents(lines), corrected_cents(lines, document)
    if added is None or document["void"] is not None:
        return f"net {signed(before)}"
    return f"net {signed(before)} before its correction, {signed(before + added)} after"


def spot_net(document: Document, spot: Spot) -> tuple[str, int]:
    """What a spot's lines bring so far, in words and cents; no words where nothing of it is settled."""
    if document["void"] is not None:
        return "voided", 0
    own = [line for line in document["lines"] if line["seat"] == spot["seat"]]
    if not own:
        return "", 0
    added = corrected_cents(own, document)
    cents = net_cents(own) + (added or 0)
    said = "net" if added is None else "corrected to"
    return f"{said} {signed(cents)}{' so far' if document['status'] == 'open' else ''}", cents


def totals(document: Document) -> str:
    """Who gained what, empty before the settlement; the sum of it is zero."""
    gains = document["totals"]
    if gains is None:
        return ""
    parts = [f"{name.removesuffix('_micros')} {signed_micros(micros)}" for name, micros in gains.items() if micros]
    return f"In sum, as it was settled: {', '.join(parts) or 'nobody gained anything'}."


def rechecked(document: Document) -> str:
    """Whether the settlement computed anew is the recorded one."""
    if document["totals"] is None and document["void"] is None:
        return "Recheck: nothing is settled yet."
    if document["recheck"]["matches"]:
        return "Recheck: matches. The settlement computed anew is the one recorded."
    return "Recheck: DIFFERS from what was recorded:"


def hashes(document: Document) -> str:
    """Whether the round's events are as they were recorded."""
    verified = document["integrity"]["verified"]
    return f"Hashes of this round: {'verified' if verified else 'BROKEN'}. Its last event's:"


def listed(people: Sequence[str]) -> str:
    """Some people.

    >>> listed(["F01", "S02"])
    'F01 and S02'
    """
    return " and ".join(people)


def signed(cents: int) -> str:
    """Cents as a gain or a loss.

    >>> signed(4750), signed(-500), signed(0)
    ('+$47.50', '-$5.00', '$0.00')
    """
    return f"{'+' if cents > 0 else ''}{dollars(cents)}"


def signed_micros(micros: int) -> str:
    """Micros as a gain or a loss."""
    return f"{'+' if micros > 0 else ''}{micros_text(micros)}"

"""A replayed round as a person reads it: 80 columns, plain words, and nothing said by colour or by place alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from cli.tables import Column, Paper, clean, draw_table, micros_text, words, wrapped
from domain.games import game
from domain.money import dollars

Document = Mapping[str, Any]
Line = Mapping[str, Any]

_OUTCOME_COLOURS = {"win": "green", "lose": "red", "forfeited": "red"}


def print_replay(paper: Paper, document: Document) -> None:
    """Prints the document of `projections.replays.replay`, findings first."""
    _print_head(paper, document)
    _print_findings(paper, document)
    _print_hands(paper, document)
    if document["status"] == "open":
        _print_wagers(paper, document["wagers"])
    else:
        _print_lines(paper, _title_of_lines(document), document["lines"])
        _print_totals(paper, document["totals"])
    if document["reversed_lines"]:
        _print_lines(paper, "Lines that the void took back", document["reversed_lines"])
    _print_afterwards(paper, document)
    _print_frames(paper, document)
    _print_proof(paper, document)


def _print_head(paper: Paper, document: Document) -> None:
    for line in wrapped(f"Round {document['round']}: {_status(document)}", hanging="  "):
        paper.print(paper.style(line, bold=True))
    game = words(document["game"]).capitalize()
    deck = document["deck"] or "not named"
    number = f"number {document['number']} of gaming day {document['gaming_day']}"
    for sentence in (
        f"{game} under sheet {document['sheet']}, dealer {document['dealt_by']}, deck {deck}.",
        f"Table {document['table']} at {document['property']}, {number}, opened {document['opened_at']}.",
        _bank_and_start(document),
    ):
        paper.print_all(wrapped(sentence))


def _status(document: Document) -> str:
    void = document["void"]
    if void is not None:
        return f"voided ({void['reason']}; approved by {_listed(void['approved_by'])})"
    if document["misdealt"]:
        return "a misdeal, not yet voided"
    return str(document["status"])


def _bank_and_start(document: Document) -> str:
    banker = document["banker"]
    if banker is None:
        bank = "The house banks."
    else:
        bank = (
            f"Seat {banker['seat']} ({banker['player']}) banks with {dollars(banker['chips_cents'])} in chips; the "
            f"house wagers {dollars(banker['house_wager_cents'])} against him."
        )
    start = document["start"]
    if start is None and not game(document["game"]).joker:
        return bank  # The contract asks for a start in joker games only.
    if start is None:
        to_come = document["phase"] in ("open", "closed")
        return f"{bank} The start is {'not drawn yet' if to_come else 'not recorded'}."
    by = "three dice, total" if start["method"] == "dice" else "the machine's number"
    return f"{bank} Start by {by} {start['number']}: the first hand goes to {_spot(start['position'])}."


def _spot(seat: int | str) -> str:
    return "the dealer" if seat == "dealer" else f"seat {seat}"


def _print_findings(paper: Paper, document: Document) -> None:
    findings = document["findings"]
    if not findings:
        paper.print("No findings.")
        return
    paper.heading(f"Findings ({len(findings)})")
    for finding in findings:
        seat = "" if finding["seat"] is None else f", seat {finding['seat']}"
        wager = "" if finding["wager"] is None else f", {words(finding['wager'])}"
        lines = wrapped(f"! {finding['code']}{seat}{wager}: {finding['text']}", indent="  ", hanging="  ")
        paper.print_all(paper.style(line, fg="yellow") for line in lines)


_HANDS = (
    Column("seat", "Seat"),
    Column("player", "Player"),
    Column("high", "High hand"),
    Column("low", "Low"),
    Column("set_by", "Set by"),
)
_UNSPLIT = (Column("seat", "Seat"), Column("player", "Player"), Column("high", "Cards"))
"""Where hands are not set in two."""


def _print_hands(paper: Paper, document: Document) -> None:
    dealer = document["dealer"]
    columns = _UNSPLIT if game(document["game"]).split is None else _HANDS
    if dealer["cards"] is None:
        paper.heading("Seats (nothing is dealt yet)")
        seats = [{"seat": str(each["seat"]), "player": each["player"]} for each in document["seats"]]
        paper.print_all(draw_table(columns, seats, indent="  "))
        return
    spots = [dealer | {"seat": "dealer", "player": None, "set_by": "house_way"}, *document["seats"]]
    paper.heading("Hands")
    title, *rows = draw_table(columns, [_hand_row(each) for each in spots], indent="  ")
    paper.print(title)
    for row, spot in zip(rows, spots, strict=True):
        paper.print(row)
        for text in _about_hand(spot, document["bank"]):
            paper.print_all(wrapped(text, indent="          ", hanging="  "))


def _hand_row(spot: Mapping[str, Any]) -> Mapping[str, Any]:
    is_set = spot["high"] is not None
    return {
        "seat": str(spot["seat"]),
        "player": spot["player"],
        "high": spot["high"] or spot["cards"],
        "low": spot["low"] or "",
        "set_by": words(spot["set_by"] or "") if is_set else "not set",
    }


def _about_hand(spot: Mapping[str, Any], bank: int | str) -> Iterator[str]:
    if spot["high_rank"] is not None:
        yield f"high hand {words(spot['high_rank'])}, low hand {words(spot['low_rank'])}{_foul(spot)}"
    elif spot["best"] is not None:
        longest = spot.get("straight_flush_length")
        yield f"best: {words(spot['best'])}" + ("" if longest is None else f", longest straight flush {longest}")
    if spot["seat"] == bank:
        yield "this seat banks"
    if spot.get("folded"):
        yield "folded"
    if spot.get("qualifies") is not None:
        yield "qualifies" if spot["qualifies"] else "does not qualify"
    if spot.get("rule"):
        yield f"house way: {spot['rule']}"
    if spot.get("laid_low") is not None and spot["laid_low"] != spot["low"]:
        yield f"the dealer laid {spot['laid_high']} high and {spot['laid_low']} low"


def _foul(spot: Mapping[str, Any]) -> str:
    return "; a FOUL: the low hand outranks the high hand" if spot.get("foul") else ""


_LINES = (
    Column("what", "Wager"),
    Column("stake_cents", "Stake", "cents"),
    Column("outcome", "Result"),
    Column("won_cents", "Won", "cents"),
    Column("returned_cents", "Returned", "cents"),
    Column("commission_cents", "Comm.", "cents"),
    Column("net_cents", "Net", "cents"),
)


def _title_of_lines(document: Document) -> str:
    return "Returned by the void" if document["void"] is not None else "Lines, in settling order"


def _print_lines(paper: Paper, title: str, lines: Sequence[Line]) -> None:
    paper.heading(title)
    if not lines:
        paper.print("  None.")
        return
    drawn = draw_table(_LINES, [{**line, "what": _what(line)} for line in lines], indent="  ")
    paper.print(next(drawn))
    for who, of_one in groupby(zip(lines, drawn, strict=True), key=lambda each: _whose(each[0])):
        group = list(of_one)
        net_cents = sum(line["net_cents"] for line, _ in group if not line.get("toke"))
        paper.print(paper.style(clean(f"{who}: net {dollars(net_cents)}"), bold=True))
        for line, row in group:
            paper.print(_coloured(paper, row, line["outcome"]))
            for text in _why(line):
                paper.print_all(wrapped(text, indent="      ", hanging="  "))


_WAGERS = (
    Column("seat", "Seat"),
    Column("player", "Player"),
    Column("what", "Wager"),
    _LINES[1],
    Column("forfeited", " "),
)


def _print_wagers(paper: Paper, wagers: Sequence[Line]) -> None:
    paper.heading("Wagers that stand")
    rows = [
        {**wager, "seat": str(wager["seat"]), "what": _what(wager), "forfeited": "forfeited" * wager["forfeited"]}
        for wager in wagers
    ]
    paper.print_all(draw_table(_WAGERS, rows, indent="  ") if rows else ["  None."])


def _print_totals(paper: Paper, totals: Mapping[str, Any] | None) -> None:
    """Who gained what; the sum of it is zero."""
    if totals is not None:
        parts = [f"{name.removesuffix('_micros')} {_signed(micros)}" for name, micros in totals.items() if micros]
        paper.print_all(wrapped(f"In sum, as it was settled: {', '.join(parts) or 'nobody gained anything'}."))


def _signed(micros: int) -> str:
    return f"{'+' if micros > 0 else ''}{micros_text(micros)}"


def _whose(line: Line) -> str:
    if line["wager"] == "house":
        return "House, against the bank"
    if line["wager"] == "bank":
        return f"Bank, seat {line['seat']}, {line['player']}"
    return f"Seat {line['seat']}, {line['player']}"


def _what(line: Line) -> str:
    if line.get("kind"):
        return f"envy {line['kind']}"
    riding = " toke" if line.get("toke") else " backed" if line.get("bettor") else ""
    return f"{words(line['wager'])}{riding}"


def _coloured(paper: Paper, row: str, outcome: str) -> str:
    colour = _OUTCOME_COLOURS.get(outcome)
    return row if colour is None else paper.style(row, fg=colour)


def _why(line: Line) -> Iterator[str]:
    """What the line rests on: odds, hand and who pays; the meter's reading; the rule."""
    parts = [line["odds"], words(line["hand"] or ""), f"for seat {line['for_seat']}" if line["for_seat"] else ""]
    paid = _paid(line)
    said = ", ".join(part for part in [*parts, paid] if part)
    if said:
        yield said
    reading = line["meter_reading"]
    if reading is not None:
        yield (
            f"{reading['percent']} % of {micros_text(reading['basis_micros'])}, level {reading['level']} of meter "
            f"{reading['meter']}"
        )
    ruling = "" if line["ruling"] is None else f" [ruling {line['ruling']}]"
    yield f"Rule: {line['cite']}{ruling}"


def _paid(line: Line) -> str:
    """Who pays or takes; the house's and the banker's own lines say it by their name."""
    if line["wager"] in ("house", "bank") or line["outcome"] in ("returned", "push"):
        return ""
    return f"{'paid' if line['outcome'] == 'win' else 'taken'} by the {line['paid_by']}"


def _print_afterwards(paper: Paper, document: Document) -> None:
    sections = (
        ("Corrections", document["corrections"], _correction),
        ("Payments reported", document["payments"], _payment),
        ("Jackpots", document["jackpots"], _jackpot),
    )
    for title, entries, tell in sections:
        if entries:
            paper.heading(title)
            for entry in entries:
                paper.print_all(wrapped(tell(entry), indent="  ", hanging="  "))


def _correction(entry: Mapping[str, Any]) -> str:
    due, before = dollars(entry["due_cents"]), dollars(entry["previous_due_cents"])
    return (
        f"Seat {entry['seat']}, {words(entry['wager'])}: {due} is due instead of {before}, a difference of "
        f"{dollars(entry['difference_cents'])}, on gaming day {entry['gaming_day']}; reason: {entry['reason']}. "
        f"By {entry['by']}, approved by {_listed(entry['approved_by'])}."
    )


def _listed(people: Sequence[str]) -> str:
    return " and ".join(people)


def _payment(entry: Mapping[str, Any]) -> str:
    line = f"Seat {entry['seat']}, {words(entry['wager'])}: {dollars(entry['paid_cents'])} moved"
    if entry["difference_cents"] == 0:
        return f"{line}, as was due."
    due, difference = dollars(entry["expected_cents"]), dollars(entry["difference_cents"])
    return f"{line} where {due} was due, a difference of {difference}."


def _jackpot(entry: Mapping[str, Any]) -> str:
    paid = f"paid from the {entry['paid_from']} by {entry['paid_by']} on slip {entry['slip']}"
    steps = {
        "claimed": "claimed, not yet validated",
        "validated": f"validated by {entry['validated_by']}, not yet paid",
        "paid": f"validated by {entry['validated_by']}, {paid}, witness {entry['witness']}",
        "refused": f"refused by {entry['refused_by']}: {entry['reason']}",
        "voided": "voided with the round",
    }
    return f"Seat {entry['seat']}, {entry['player']}: {dollars(entry['amount_cents'])}, {steps[entry['state']]}."


def _print_frames(paper: Paper, document: Document) -> None:
    paper.heading("What happened")
    said = ""
    for frame in document["frames"]:
        time = frame["at"][11:19]
        clock = f"{frame['at'][:10]}, times at the offset {frame['at'][19:].lstrip('.0123456789')}"
        if clock != said:
            paper.print(f"  {clock}")
            said = clock
        start = f"{frame['version']:>4}  {time}  "
        paper.print_all(wrapped(f"{start}{frame['text']}", hanging=" " * len(start)))


def _print_proof(paper: Paper, document: Document) -> None:
    recheck, integrity = document["recheck"], document["integrity"]
    paper.heading("Checks")
    if document["totals"] is None and document["void"] is None:
        paper.print("  Recheck: nothing is settled yet.")
    elif recheck["matches"]:
        paper.print("  Recheck: matches. The settlement computed anew is the one recorded.")
    else:
        paper.print(paper.style("  Recheck: DIFFERS from what was recorded:", fg="red", bold=True))
        for difference in recheck["differences"]:
            paper.print_all(wrapped(f"! {difference}", indent="    ", hanging="  "))
    if integrity["verified"]:
        paper.print("  Hashes of this round: verified. Its last event's:")
    else:
        paper.print(paper.style("  Hashes of this round: BROKEN. Its last event's:", fg="red", bold=True))
    paper.print(f"    {integrity['head']}")

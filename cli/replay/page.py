"""A replay as one page for a browser: every step in it, nothing fetched, and readable without its script.

A part of the page that changes is written once for each run of steps in which it is the same; `page.js` shows the run
of the step that is looked at. Without the script, and in print, the last step is shown.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib.resources import files
from typing import Any

from cli.replay import saying
from cli.replay.cards import JOKER, SIGNS, UNSEEN, is_red, spoken_cards
from cli.replay.markup import Html, joined, tag
from cli.replay.money import purses
from cli.replay.phases import marks
from cli.replay.saying import Document, Line, Spot
from domain.money import dollars

Render = Callable[[Document], Html]
NOTHING = Html()


def page(steps: Sequence[Document]) -> str:
    """The page of a round's `steps`, the documents after each of its events in turn."""
    last = steps[-1]
    style, script = _file("page.css"), _file("page.js")
    head = joined(
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_policy(style, script)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", saying.title(last)),
        tag("style", Html(style)),
    )
    body = joined(
        tag("a", "To the events", href="#events", class_="skip"),
        _head(steps),
        tag("main", _stage(steps), _events(last), _money(steps), _lines(steps), _afterwards(steps), class_="columns"),
        _proof(last),
        tag("script", Html(script)),
    )
    html = tag("html", tag("head", head), tag("body", body, data_steps=len(steps)), lang="en", data_lines=_amount(last))
    return f"<!doctype html>\n{html}\n"


def _amount(document: Document) -> str | None:
    """How much there is to print, so that the type can be small enough for one sheet of paper."""
    rows = len(document["lines"]) + len(document["reversed_lines"]) + 3 * len(document["seats"])
    rows += sum(len(entries) for _, entries in saying.afterwards(document)) + len(document["findings"])
    return "most" if rows > MANY[1] else "many" if rows > MANY[0] else None


MANY = (20, 28)
"""Above so many rows the type on paper is smaller, and smaller still; found by printing a long evening."""


def _file(name: str) -> str:
    return files("cli.replay").joinpath(name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """Nothing is loaded, and nothing runs but the page's own style and script, named by their hashes."""
    hashes = {kind: f"'sha256-{_hash(text)}'" for kind, text in (("style", style), ("script", script))}
    return (
        f"default-src 'none'; style-src {hashes['style']}; script-src {hashes['script']}; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _runs(steps: Sequence[Document], render: Render, element: str = "div", class_: str | None = None) -> Html:
    """What `render` makes of each step, once for each run of steps for which it is the same."""
    written = list(map(render, steps))
    starts = [place for place, html in enumerate(written) if place == 0 or html != written[place - 1]]
    parts = []
    for first, after in zip(starts, [*starts[1:], len(steps)], strict=True):
        if written[first]:
            is_last = after == len(steps)
            parts.append(
                tag(
                    element,
                    written[first],
                    class_=class_,
                    data_from=first + 1,
                    data_to=after,
                    data_last=is_last,
                    hidden=not is_last,
                )
            )
    return joined(*parts)


def _head(steps: Sequence[Document]) -> Html:
    last = steps[-1]
    name, _, status = saying.title(last).partition(": ")
    return tag(
        "header",
        tag("h1", name, " ", tag("span", status, class_="badge")),
        *(tag("p", sentence) for sentence in saying.head(last)),
        _runs(steps, _findings),
        class_="top",
    )


def _findings(document: Document) -> Html:
    if not document["findings"]:
        return tag("p", "No findings so far.", class_="quiet")
    entries = (tag("li", saying.finding(each)) for each in document["findings"])
    return tag("section", tag("h2", f"Findings ({len(document['findings'])})"), tag("ul", *entries), class_="findings")


def _stage(steps: Sequence[Document]) -> Html:
    """The table with the buttons below it."""
    places = range(len(saying.spots(steps[-1])))
    spots = [_runs(steps, partial(_spot_at, place), "article", "spot") for place in places]
    dealer, *seats = spots
    felt = tag("div", tag("div", dealer, class_="dealer"), tag("div", *seats, class_="seats"), class_="felt", id="felt")
    return tag("section", tag("h2", "The table", class_="unseen"), _controls(steps), felt, class_="stage")


def _spot_at(place: int, document: Document) -> Html:
    return _spot(saying.spots(document)[place], document)


def _spot(spot: Spot, document: Document) -> Html:
    name = "Dealer" if spot["seat"] == "dealer" else f"Seat {spot['seat']}"
    banks = tag("span", "banks", class_="badge") if spot["seat"] == document["bank"] else NOTHING
    return joined(
        tag(
            "h3",
            tag("span", name),
            " ",
            tag("span", spot["player"] or "", class_="player"),
            banks,
            _net(spot, document),
        ),
        _hands(spot),
        *(tag("p", text, class_=class_) for text, class_ in _about(spot, document)),
        _chips(spot, document),
    )


def _net(spot: Spot, document: Document) -> Html:
    text, cents = saying.spot_net(document, spot)
    return tag("span", text, class_=f"net {_side(cents)}") if text else NOTHING


def _side(cents: int) -> str:
    return "gain" if cents > 0 else "loss" if cents < 0 else "even"


def _hands(spot: Spot) -> Html:
    if spot["cards"] is None:
        return tag("p", "No cards yet.", class_="quiet")
    if spot["high"] is None:
        return tag("div", _hand("cards", spot["cards"]), class_="hands")
    return tag("div", _hand("high hand", spot["high"]), _hand("low hand", spot["low"]), class_="hands")


def _hand(name: str, cards: str) -> Html:
    faces = (_card(card) for card in cards.split())
    return tag("div", *faces, class_="hand", role="img", aria_label=f"{name}: {spoken_cards(cards)}")


def _card(card: str) -> Html:
    if card == UNSEEN:
        return tag("span", card, class_="card back")
    if card == JOKER:
        return tag("span", card, class_="card joker")
    rank = "10" if card[0] == "T" else card[0]
    classes = ["card", *["red"] * is_red(card), *["ten"] * (rank == "10")]
    return tag("span", tag("b", rank), tag("i", SIGNS[card[1]]), class_=" ".join(classes))


def _about(spot: Spot, document: Document) -> Iterator[tuple[str, str]]:
    compared = list(saying.compared(document, spot))
    names = saying.hand_names(spot)
    if spot["foul"]:
        yield "FOUL: the low hand outranks the high hand", "foul"
    if names and not compared:
        yield names, "names"
    for text in compared:
        yield text, "names"
    for text in saying.about_hand(spot, document):
        if text not in (*compared, "this seat banks") and not text.startswith(names or "\0"):
            yield text, "quiet"
    if spot["high"] is not None and spot["seat"] != "dealer":
        yield f"set by {saying.set_by(spot)}", "quiet"


def _chips(spot: Spot, document: Document) -> Html:
    wagers = saying.wagers_in_order(document, spot["seat"])
    if not wagers:
        return NOTHING
    chips = (
        tag("li", saying.what(each), " ", tag("b", dollars(each["stake_cents"])), " forfeited" * each["forfeited"])
        for each in wagers
    )
    return tag("ul", *chips, class_="chips")


def _controls(steps: Sequence[Document]) -> Html:
    frames = steps[-1]["frames"]
    buttons = (
        tag("button", "|◀", type="button", id="first", aria_label="First step", title="First step (Home)"),
        tag("button", "◀", type="button", id="back", aria_label="Step back", title="Step back (left arrow)"),
        tag("span", f"{len(steps)} / {len(steps)}", id="place"),
        tag("button", "▶", type="button", id="on", aria_label="Step on", title="Step on (right arrow)"),
        tag("button", "▶|", type="button", id="end", aria_label="Last step", title="Last step (End)"),
    )
    slider = tag("input", type="range", id="slider", min=1, max=len(steps), value=len(steps), aria_label="Step", step=1)
    phases = (
        tag("li", tag("a", mark.name, href=f"#step-{mark.place + 1}", data_phase=mark.place + 1))
        for mark in marks(frames)
    )
    return tag(
        "nav",
        tag("div", *buttons, class_="buttons"),
        slider,
        tag("ul", *phases, class_="phases"),
        tag("p", "Step with ← and →, the wheel over the table, P for the next phase.", class_="quiet keys"),
        tag("p", _frame_text(frames[-1]), id="said", role="status", aria_live="polite"),
        class_="controls",
        aria_label="Steps",
    )


def _frame_text(frame: Mapping[str, Any]) -> str:
    return f"{frame['at'][11:19]} {frame['text']}"


def _events(document: Document) -> Html:
    entries = []
    for place, frame in enumerate(document["frames"], start=1):
        link = tag(
            "a",
            tag("span", str(frame["version"]), class_="number"),
            tag("time", frame["at"][11:19], datetime=frame["at"]),
            tag("span", frame["text"], class_="text"),
            href=f"#step-{place}",
        )
        entries.append(tag("li", link, id=f"event-{place}", class_=frame["event"].replace(".", "-")))
    day = document["frames"][0]["at"]
    clock = f"{day[:10]}, offset {day[19:].lstrip('.0123456789')}"
    on_paper = tag("span", "; wagers and lines stand above", class_="on-paper")
    title = tag("h2", "What happened ", tag("span", clock, on_paper, class_="quiet"))
    return tag("section", title, tag("ol", *entries, id="events", tabindex=0, aria_label="Events"), class_="events")


_MONEY = ("Staked", "Won", "Returned", "Comm.", "Corrected", "Net")


def _money(steps: Sequence[Document]) -> Html:
    return tag("section", tag("h2", "Money at this step"), _runs(steps, _money_table), class_="money")


def _money_table(document: Document) -> Html:
    found = purses(document)
    if not found:
        return tag("p", "Nothing is staked yet.", class_="quiet")
    corrected = any(each.corrected_cents for each in found)
    titles = [each for each in _MONEY if corrected or each != "Corrected"]
    head = tag("tr", tag("th", "Who", scope="col"), *(tag("th", each, scope="col", class_="n") for each in titles))
    rows = []
    for each in found:
        figures = [each.staked_cents, each.won_cents, each.returned_cents, each.commission_cents]
        cells = [dollars(cents) for cents in figures]
        if corrected:
            cells.append(saying.signed(each.corrected_cents))
        net = "at stake" if each.net_cents is None else saying.signed(each.net_cents)
        cells_html = (tag("td", cell, class_="n") for cell in cells)
        rows.append(
            tag(
                "tr",
                tag("th", each.who, scope="row"),
                *cells_html,
                tag("td", net, class_=f"n {_side(each.net_cents or 0)}"),
            )
        )
    sums = saying.totals(document)
    return joined(
        tag("div", tag("table", tag("thead", head), tag("tbody", *rows)), class_="scroll"),
        tag("p", sums, class_="quiet") if sums else NOTHING,
    )


_LINES = ("Whose", "Wager", "Stake", "Result", "Won", "Returned", "Comm.", "Net", "Rule")


def _lines(steps: Sequence[Document]) -> Html:
    last = steps[-1]
    if last["void"] is None:
        tables = [_lines_table(steps, "lines", "Lines, in settling order")]
    else:
        tables = [
            _lines_table(steps, "reversed_lines", "Before the void: the lines that it took back"),
            _lines_table(steps, "lines", "After the void: every wager goes back"),
        ]
    return tag("section", *tables, class_="lines")


def _lines_table(steps: Sequence[Document], key: str, title: str) -> Html:
    """The lines of one state of the round; each row from the step on that settled it."""
    void = key == "lines" and steps[-1]["void"] is not None
    ids = [line["line_id"] for line in steps[-1][key]]
    if not ids:
        return NOTHING
    head = tag(
        "tr",
        *(
            tag("th", each, scope="col", class_="n" if 2 <= place != 3 and place < 8 else None)
            for place, each in enumerate(_LINES)
        ),
    )
    rows = [_runs(steps, partial(_line_in, id_, void), "tr") for id_ in ids]
    table = tag("table", tag("thead", head), tag("tbody", *rows))
    return joined(tag("h2", title), tag("div", table, class_="scroll"))


def _line_in(id_: str, void: bool, document: Document) -> Html:
    """The cells of a line in a document; nothing where it is not there."""
    voided = document["void"] is not None
    lines = document["lines"] if void == voided else document["reversed_lines"] if voided else []
    line = next((each for each in lines if each["line_id"] == id_), None)
    return NOTHING if line is None else _line(line, document)


def _line(line: Line, document: Document) -> Html:
    first, *rest = [*saying.why(line), *saying.corrected(line, document)]
    rule = joined(tag("span", first), *(joined(tag("br"), tag("span", text)) for text in rest))
    money = [("won", "won_cents"), ("returned", "returned_cents"), ("commission", "commission_cents")]
    return joined(
        tag("th", saying.whose(line), scope="row"),
        tag("td", saying.what(line)),
        tag("td", dollars(line["stake_cents"]), class_="n", data_title="stake"),
        tag("td", line["outcome"], class_=f"outcome {line['outcome']}"),
        *(tag("td", dollars(line[key]), class_="n", data_title=title) for title, key in money),
        tag("td", saying.signed(line["net_cents"]), class_=f"n {_side(line['net_cents'])}", data_title="net"),
        tag("td", rule, class_="rule"),
    )


def _afterwards(steps: Sequence[Document]) -> Html:
    return _runs(steps, _afterwards_of, "section", "after")


def _afterwards_of(document: Document) -> Html:
    return joined(
        *(
            joined(tag("h2", title), tag("ul", *(tag("li", entry) for entry in entries)))
            for title, entries in saying.afterwards(document)
            if entries
        )
    )


def _proof(document: Document) -> Html:
    differences = (tag("li", each) for each in document["recheck"]["differences"])
    return tag(
        "footer",
        tag("p", saying.rechecked(document)),
        tag("ul", *differences) if document["recheck"]["differences"] else NOTHING,
        tag("p", saying.hashes(document), " ", tag("code", document["integrity"]["head"])),
    )

"""What must hold of every ledger of simulated play, each as a function that yields a sentence for what does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ledger.integrity import verify
from projections.balances import balances
from projections.catalog import digest, rebuild
from projections.meters import discrepancies, list_meters, show_meter
from tests.properties import naive_balances
from tests.properties.naive_meters import Level, Meters
from tests.properties.naive_outcomes import wrong_outcomes
from tests.properties.naive_rules import broken_lines
from tests.properties.naive_sums import sums
from tests.properties.played import Played, record

Check = Callable[[Played], Iterator[str]]

_PROJECTIONS = ("balances", "meters", "rounds")


def nothing_is_refused(played: Played) -> Iterator[str]:
    """The simulation means every command to be taken."""
    for receipt in played.receipts:
        if receipt.status == "refused":
            yield f"{receipt.command_id} is refused: {receipt.message}"


def a_command_sent_again_is_repeated(played: Played) -> Iterator[str]:
    """And recorded once."""
    ids = [command["command_id"] for command in played.commands]
    repeated = sum(receipt.status == "repeated" for receipt in played.receipts)
    if len(ids) - len(set(ids)) != repeated:
        yield f"{len(ids) - len(set(ids))} commands were sent again, {repeated} were repeated"


def settled_rounds_sum_to_zero(played: Played) -> Iterator[str]:
    """Over players, house, dealers, meter and reserve, added up anew; and void rounds moved nothing."""
    meters = naive_meters(played)
    for key, totals in _recorded_totals(played):
        own = sums(played.documents[key], meters.moves[key])
        recorded = tuple(getattr(totals, f"{name}_micros") for name in own._fields)
        if sum(own) != 0 or own != recorded:
            yield f"{key} sums to {sum(own)} by {own}, recorded are {recorded}"
    for document in played.documents.values():
        if document["status"] == "voided" and any(line["net_cents"] for line in document["lines"]):
            yield f"{document['round']} is void and moves money"


def every_round_is_over(played: Played) -> Iterator[str]:
    """Settled or void."""
    for document in played.documents.values():
        if document["status"] == "open":
            yield f"{document['round']} is still open"


def hands_win_by_the_rules(played: Played) -> Iterator[str]:
    """Outcomes of mains, antes and what depends on them, judged anew from the cards."""
    yield from wrong_outcomes(list(played.recorded), played.documents)


def commission_and_limits_are_the_sheets(played: Played) -> Iterator[str]:
    """Each win's commission and each seat's payout limit."""
    yield from broken_lines(list(played.recorded), played.documents)


def rounds_settle_again_alike(played: Played) -> Iterator[str]:
    """Settling again by the pinned sheet gives the recorded lines, and every hash of the round holds."""
    for document in played.documents.values():
        if document["recheck"] != {"matches": True, "differences": []}:
            yield f"{document['round']} rechecks to {document['recheck']}"
        if document["integrity"]["verified"] is not True:
            yield f"{document['round']} is not verified"


def balances_agree(played: Played) -> Iterator[str]:
    """The projection's rows with a naive fold, positions apart; who has only zeros may have a row or none."""
    shown = {row["player"]: row for row in balances(played.ledger).rows}
    naive = naive_balances.balances(played.recorded, played.documents)
    nothing = dict.fromkeys(naive_balances.NAMES, 0)
    for player in sorted(shown.keys() | naive.keys()):
        row = {name: shown.get(player, nothing)[name] for name in naive_balances.NAMES}
        if row != naive.get(player, nothing):
            yield f"{player} has {row}, expected {naive.get(player, nothing)}"


def meters_agree(played: Played) -> Iterator[str]:
    """Every level's reading with a naive fold, and what each hit was paid."""
    naive = naive_meters(played)
    yield from naive.wrong
    for (meter, name), level in naive.levels.items():
        shown = _shown_level(played, meter, name, level)
        if shown != level.shown():
            yield f"{meter} {name} shows {shown}, expected {level.shown()}"
    yield from map(str, discrepancies(played.ledger).rows)


def a_rebuild_gives_the_same_rows(played: Played) -> Iterator[str]:
    """As catching up did."""
    list_meters(played.ledger)
    balances(played.ledger)
    before = [digest(played.ledger, name) for name in _PROJECTIONS]
    rebuild(played.ledger, page=97)
    for name, earlier in zip(_PROJECTIONS, before, strict=True):
        if digest(played.ledger, name) != earlier:
            yield f"{name} has other rows after a rebuild"


def recording_again_changes_nothing(played: Played) -> Iterator[str]:
    """Every line is answered with its first receipt."""
    head = played.ledger.head()
    again = record(played.ledger, played.commands)
    if {receipt.status for receipt in again} != {"repeated"} or played.ledger.head() != head:
        yield "recording the feed again left something"
    if [receipt.position for receipt in again] != [receipt.position for receipt in played.receipts]:
        yield "recording the feed again was answered with other positions"


def the_log_verifies(played: Played) -> Iterator[str]:
    """Hashes, places, and the writer's own sums."""
    if not verify(played.ledger).verified:
        yield "the log does not verify"


CHECKS: tuple[Check, ...] = (
    nothing_is_refused,
    a_command_sent_again_is_repeated,
    every_round_is_over,
    settled_rounds_sum_to_zero,
    hands_win_by_the_rules,
    commission_and_limits_are_the_sheets,
    rounds_settle_again_alike,
    balances_agree,
    meters_agree,
    a_rebuild_gives_the_same_rows,
    recording_again_changes_nothing,
    the_log_verifies,
)


def faults(played: Played) -> list[str]:
    """What does not hold, each sentence behind the name of its check."""
    return [f"{check.__name__}: {fault}" for check in CHECKS for fault in check(played)]


def naive_meters(played: Played) -> Meters:
    """The naive meters after the whole feed."""
    meters = Meters(played.documents)
    meters.take(played.recorded)
    return meters


def _shown_level(played: Played, meter: str, name: str, level: Level) -> dict[str, Any]:
    (row,) = show_meter(played.ledger, meter).rows
    shown = next(each for each in row["levels"] if each["level"] == name)
    return {key: shown[key] for key in level.shown()}


def _recorded_totals(played: Played) -> Iterator[tuple[str, Any]]:
    position = 0
    while page := played.ledger.records(position):
        for each in page:
            if each.event.NAME == "round.settled":
                yield each.stream.key, getattr(each.event, "totals")  # noqa: B009
        position = page[-1].position

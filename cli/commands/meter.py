"""`rounds meter`: progressive meters as they stand, their daily report, and their lives drawn."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from cli import completing, meter_view, terminal
from cli.errors import REFUSED, Finished, Misused, NotFound
from cli.filters import read_day
from cli.meant import did_you_mean
from cli.meter_notes import notes
from cli.options import DRAWN, Command, Group, Settings
from cli.output import destination, write_document, write_rows
from cli.store import as_of_option, keep_up, point_of, say_lag, to_read
from cli.tables import PAGE_WIDTH, Column, Paper, clean, draw_list, draw_table, percent_text, wrapped

if TYPE_CHECKING:
    from ledger.service import Ledger

LEVEL_COLUMNS: tuple[Column, ...] = (
    Column("level", "Level"),
    Column("display_cents", "Display", "cents"),
    Column("accrued_micros", "Accrued", "micros"),
    Column("overflow_micros", "Overflow", "micros"),
    Column("reserve_micros", "Reserve", "micros"),
    Column("in_count", "Wagers", "int"),
    Column("hits", "Hits", "int"),
    Column("wins_micros", "Paid", "micros"),
    Column("base_micros", "Base", "micros", in_table=False),
    Column("reset_micros", "Reset", "micros", in_table=False),
    Column("rate_bp", "Rate", "int", in_table=False),
    Column("hidden_rate_bp", "Hidden rate", "int", in_table=False),
    Column("limit_micros", "Limit", "micros", in_table=False),
    Column("position", "Position", "int", in_table=False),
)
TERMS_COLUMNS: tuple[Column, ...] = (
    Column("level", "Level"),
    Column("base_micros", "Base", "micros"),
    Column("reset_micros", "Reset", "micros"),
    Column("rate", "Rate"),
    Column("hidden_rate", "Hidden rate"),
    Column("limit_micros", "Limit", "micros"),
)
METER_COLUMNS = (Column("meter", "Meter"), Column("property", "Property"))
LIFE_COLUMNS = (Column("level", "Level"), Column("life", "From its opening to its last movement"))


@click.group(cls=Group, example="rounds meter show PROG")
def meter() -> None:
    """Show progressive meters."""


@meter.command("list", cls=Command, example="rounds meter list --format csv -o meters.csv")
@as_of_option
@click.pass_obj
def list_(settings: Settings, as_of: str | None) -> None:
    """List every level of every meter."""
    from projections import meters

    point = point_of(as_of)
    with to_read(settings) as ledger:
        if point is None:
            keep_up(settings, ledger, meters.Meters)
        report = meters.list_meters(ledger, point)
        none = "no meters yet" if point is None else "no meters at that point"
        write_rows(settings, METER_COLUMNS + LEVEL_COLUMNS, _level_rows(report.rows), none=none)
        say_lag(ledger, report.lag)


@meter.command(
    cls=Command,
    example="""
        rounds meter show PROG
        rounds meter show PROG --as-of 1200 --format json
    """,
)
@click.argument("meter_name", metavar="METER", shell_complete=completing.meters)
@as_of_option
@click.pass_obj
def show(settings: Settings, meter_name: str, as_of: str | None) -> None:
    """Show what each level of METER holds, shows and has paid; on a terminal also the course of its life."""
    from projections import meters

    point = point_of(as_of)
    with to_read(settings) as ledger:
        if point is None:
            keep_up(settings, ledger, meters.Meters)
        report = meters.show_meter(ledger, meter_name, point)
        found = next(iter(report.rows), None)
        if found is None:
            say_lag(ledger, report.lag)
            raise _no_meter(ledger, meter_name, "" if point is None else " at that point")
        course = _course(ledger, meter_name) if point is None and _is_looked_at(settings) else {}
        write_document(
            settings,
            found,
            text=lambda paper: _print_meter(paper, found, course),
            columns=METER_COLUMNS + LEVEL_COLUMNS,
            rows=_level_rows([found]),
        )
        say_lag(ledger, report.lag)


@meter.command(
    cls=Command,
    example="""
        rounds meter report --day 2026-05-04
        rounds meter report --day 2026-05-31 --month --format csv -o may.csv
        rounds meter report --exceptions --tolerance-cents 5
    """,
)
@click.option(
    "--day",
    metavar="DAY",
    help="The gaming day, such as 2026-05-04.  [else the latest with a movement]",
    shell_complete=completing.days,
)
@click.option("--month", "period", flag_value="month", help="The month to that day.")
@click.option("--year", "period", flag_value="year", help="The year to that day.")
@click.option("--property", "property_", metavar="PROPERTY", help="Only this.", shell_complete=completing.properties)
@click.option("--meter", "meter_name", metavar="METER", help="Only this meter.", shell_complete=completing.meters)
@click.option(
    "--tolerance-cents",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="By how much a reading of the sign may be off.  [else 0]",
)
@click.option(
    "--open-days",
    type=click.IntRange(0, 3_650),
    default=7,
    metavar="N",
    help="For how long a share of the meter may stay unpaid.  [else 7]",
)
@click.option("--exceptions", is_flag=True, help="Only what somebody should look at, a row each.")
@click.pass_obj
def report(
    settings: Settings,
    day: str | None,
    period: str | None,
    property_: str | None,
    meter_name: str | None,
    tolerance_cents: int,
    open_days: int,
    exceptions: bool,
) -> None:
    """Report a gaming day of all meters: what each level opened with, gained, paid and closed with, and the proof.

    closing = opening + increments + resets + adjustments + transfers in - transfers out - wins, from stored facts.
    The void of another day's round is in the same columns with a minus. JSON and CSV have micros, displays and
    readings cents.

    Exit: 0 the equation holds for every level, 1 it does not; the figures say where.
    """
    from projections.meter_book import MeterBook
    from projections.meter_reports import Asked, meter_report
    from projections.meters import Meters

    asked = Asked(read_day(day), period or "day", property_, meter_name, tolerance_cents, open_days)
    with to_read(settings) as ledger:
        keep_up(settings, ledger, MeterBook, Meters)
        document, _, lag = meter_report(ledger, asked)
        if document is None:
            say_lag(ledger, lag)
            _say_nothing(settings, ledger, asked)
            return
        if exceptions:
            none = "nothing to look at"
            write_rows(settings, meter_view.EXCEPTION_COLUMNS, document["exceptions"], none=none)
        else:
            write_document(
                settings,
                document,
                text=lambda paper: meter_view.print_report(paper, document),
                columns=meter_view.REPORT_COLUMNS,
                rows=meter_view.report_rows(document),
            )
        say_lag(ledger, lag)
    if not document["holds"]:
        click.echo("meter.equation: the figures of a level do not add up; rounds explain meter.equation", err=True)
        raise Finished(REFUSED)


@meter.command(
    cls=Command,
    formats=DRAWN,
    example="""
        rounds meter plot PROG -o prog.svg
        rounds meter plot PROG --from 2026-05-01 --until '2026-05-02 03:00' -o night.svg
        rounds meter plot PROG --format csv -o prog.csv
    """,
)
@click.argument("meter_name", metavar="METER", shell_complete=completing.meters)
@click.option(
    "--from",
    "from_",
    metavar="TIME",
    help="Only from then on: a gaming day or '2026-05-04 21:30', on the property's clock.",
)
@click.option("--until", metavar="TIME", help="Only until then; a gaming day counts to its end.")
@click.pass_obj
def plot(settings: Settings, meter_name: str, from_: str | None, until: str | None) -> None:
    """Draw the life of METER as SVG: what each level held over time, its hits, entries, readings and limit.

    JSON has the same as figures, CSV the amounts that each level held, in micros.
    """
    from cli.meter_plot import svg
    from projections.meter_book import MeterBook
    from projections.meter_life import meter_life
    from projections.meters import Meters

    with to_read(settings) as ledger:
        keep_up(settings, ledger, MeterBook, Meters)
        report = meter_life(ledger, meter_name)
        if not report.rows:
            say_lag(ledger, report.lag)
            raise _no_meter(ledger, meter_name)
        life = _part_of_life(ledger, report.rows[0], from_, until)
        if not any(level["points"] for level in life["levels"]):
            raise _no_meter(ledger, meter_name, " by then")
        if settings.format == "svg":
            with destination(settings) as stream:
                stream.write(svg(life).encode())
        else:
            write_document(settings, life, text=lambda _: None, columns=POINT_COLUMNS, rows=_points(life))
        say_lag(ledger, report.lag)


def _part_of_life(ledger: Ledger, life: Mapping[str, Any], first: str | None, last: str | None) -> dict[str, Any]:
    """What was asked for of the life; misused where a time cannot be read, or the second is before the first."""
    from projections.meter_life import part_of
    from projections.windows import Asked, moments

    try:
        begins, ends = moments(ledger, Asked(life["property"], first=first, last=last))
    except ValueError as error:
        raise Misused("time.invalid", str(error)) from None
    if begins is not None and ends is not None and begins > ends:
        raise Misused("time.invalid", f"--from {first} is after --until {last}; write the earlier one first")
    return part_of(dict(life), begins, ends)


POINT_COLUMNS = (*METER_COLUMNS, Column("level"), Column("at"), Column("accrued_micros"))


def _points(life: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for level in life["levels"]:
        for point in level["points"]:
            yield {"meter": life["meter"], "property": life["property"], "level": level["level"], **point}


def _no_meter(ledger: Ledger, name: str, then: str = "") -> NotFound:
    """That it is not there, and which one may have been meant; where one is there by now, only its time was wrong."""
    from projections import meters
    from projections.suggesting import nearest

    known = [each["meter"] for each in meters.list_meters(ledger).rows]
    near = [] if name in known else nearest(name, known)
    hint = did_you_mean([clean(each) for each in near], "see `rounds meter list`")
    return NotFound("meter.unknown", f"no meter {name!r} in this ledger{then}; {hint}")


def _say_nothing(settings: Settings, ledger: Ledger, asked: Any) -> None:
    """Why a report has nothing: a name that is not there is not found, a day before the first meter is only empty."""
    from projections import meters
    from projections.suggesting import similar_names

    known = meters.list_meters(ledger).rows
    if asked.meter is not None and asked.meter not in [each["meter"] for each in known]:
        raise _no_meter(ledger, asked.meter)
    if asked.property is not None and asked.property not in [each["property"] for each in known]:
        near = similar_names(ledger, "property", asked.property)
        hint = f"; did you mean {' or '.join(map(clean, near))}?" if near else ""
        settings.note(f"no meters at property {asked.property!r}{hint}")
        return
    settings.note(f"no meter was open on {asked.day}" if known else "no meters yet")


def _is_looked_at(settings: Settings) -> bool:
    return settings.format == "table" and settings.output in (None, "-") and sys.stdout.isatty()


def _course(ledger: Ledger, name: str) -> dict[str, str]:
    """Each level's life in one line, for whoever looks at a terminal."""
    from projections.meter_life import recent

    ascii_only = terminal.encoding() == "ascii"
    lives = recent(ledger, name, meter_view.SPARK_WIDTH)
    return {level: meter_view.sparkline(values, ascii_only=ascii_only) for level, values in lives.items()}


def _level_rows(meters: Any) -> Iterator[Mapping[str, Any]]:
    """A row for each level, of meters that come whole or level by level."""
    for each in meters:
        for level in each.get("levels", [{}]):
            yield {**each, **level}


def _print_meter(paper: Paper, document: Mapping[str, Any], course: Mapping[str, str]) -> None:
    paper.print_all(draw_table(METER_COLUMNS, [document]))
    paper.heading("Readings")
    paper.print_all(draw_list(LEVEL_COLUMNS, document["levels"], paper.page))
    paper.heading("Terms")
    paper.print_all(draw_list(TERMS_COLUMNS, [_terms(level) for level in document["levels"]], paper.page))
    if said := notes(document):
        paper.heading("Notes")
        paper.print_all(line for note in said for line in wrapped(note, "  ", "  ", min(paper.page, PAGE_WIDTH)))
    if course:
        paper.heading("Life")
        paper.print_all(draw_table(LIFE_COLUMNS, [{"level": name, "life": line} for name, line in course.items()]))


def _terms(level: Mapping[str, Any]) -> Mapping[str, Any]:
    """Rates as percentages; a basis point is a hundredth of one."""
    return {
        **level,
        "rate": percent_text(level["rate_bp"]),
        "hidden_rate": percent_text(level["hidden_rate_bp"]),
    }

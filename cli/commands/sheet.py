"""`rounds sheet`: the published rules, and publishing new ones."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import click

from cli import completing
from cli.errors import REFUSED, Finished, Misused, NotFound
from cli.meant import meant
from cli.options import Command, Group, Settings
from cli.output import destination, write_document, write_rows
from cli.store import to_read, to_record
from cli.tables import Column, Paper

if TYPE_CHECKING:
    from domain.sheets import Sheet
    from ledger.receipts import Receipt
    from ledger.service import Desk

LIST_COLUMNS = (
    Column("sheet", "Sheet"),
    Column("game", "Game"),
    Column("title", "Title"),
    Column("effective_from", "Effective from"),
    Column("fingerprint", "Fingerprint", in_table=False),
)


@click.group(cls=Group, example="rounds sheet show --sample fortune-cardroom@1")
def sheet() -> None:
    """List, show and publish sheets: the rules, limits and paytables that rounds are played under."""


@sheet.command(
    "list",
    cls=Command,
    example="""
        rounds sheet list
        rounds sheet list --samples
    """,
)
@click.option("--samples", is_flag=True, help="The samples that come with the program, to start from.")
@click.pass_obj
def list_(settings: Settings, samples: bool) -> None:
    """List the published sheets, every version."""
    if samples:
        from domain.sheets.samples import sample, sample_ids

        rows = [_row(sample(ref)) for ref in sample_ids()]
    else:
        with to_read(settings) as ledger:
            published = [entry for _, entry in ledger.desk.entries("sheet")]
        published.sort(key=lambda each: (each.content["id"], each.content["version"]))
        rows = [_row(each.content, each.effective_from, each.fingerprint) for each in published]
    write_rows(settings, LIST_COLUMNS, rows, none="no sheets yet; `rounds sheet list --samples` has some to start from")


def _row(content: Mapping[str, Any], effective_from: str | None = None, print_: str | None = None) -> dict[str, Any]:
    return {
        "sheet": f"{content['id']}@{content['version']}",
        "game": content["game"],
        "title": content["title"],
        "effective_from": effective_from,
        "fingerprint": print_,
    }


@sheet.command(
    cls=Command,
    example="""
        rounds sheet show fortune-cardroom@1
        rounds sheet show --sample fortune-cardroom@1 -o mine.toml
    """,
)
@click.argument("ref", required=False, metavar="ID@VERSION", shell_complete=completing.sheets)
@click.option("--sample", "sample_ref", metavar="ID@VERSION", help="A sample that comes with the program.")
@click.pass_obj
def show(settings: Settings, ref: str | None, sample_ref: str | None) -> None:
    """Show a published sheet, or a sample; `-o mine.toml` or `-o mine.json` is a file to change and publish."""
    from cli.sheet_toml import sheet_toml
    from cli.sheet_view import LINE_COLUMNS, line_rows, print_sheet

    if (ref is None) == (sample_ref is None):
        raise Misused("sheet.which", "name one sheet, as ID@VERSION or with --sample")
    found = published_sheet(settings, ref) if ref is not None else sample_sheet(str(sample_ref))
    if settings.format_given is None and Path(settings.output or "").suffix.lower() == ".toml":
        with destination(settings) as stream:
            stream.write(sheet_toml(found.content).encode())
        return
    write_document(
        settings,
        found.content,
        text=lambda paper: print_sheet(paper, found),
        columns=LINE_COLUMNS,
        rows=line_rows(found),
    )


def published_sheet(settings: Settings, ref: str) -> Sheet:
    """The sheet that is published as `ref`; not found where there is none."""
    from domain.sheets import sheet_of

    with to_read(settings) as ledger:
        entry = ledger.sheet(ref)
        if entry is None:
            known = sorted(key[1] for key, _ in ledger.desk.entries("sheet"))
            raise NotFound("sheet.unknown", f"no sheet {ref!r} is published; {meant(ref, known)}")
        found = sheet_of(entry.fingerprint, entry.content)
        for ended in ended_meters(found, ledger.desk):
            settings.note(f"sheet {ref} is refused new wagers: {ended}")
    return found


def ended_meters(sheet: Sheet, desk: Desk) -> Iterator[str]:
    """What has ended of the meters that the sheet's wagers feed, in words; nothing of meters that are not open."""
    from domain.desk import meter_key

    for id_, terms in sheet.wagers.items():
        for name in terms.meters:
            meter = desk.get(meter_key(name))
            if meter is None:
                continue
            paid = sorted(level for level in terms.levels_paid(name) & set(meter.levels) if meter.levels[level].retired)
            if meter.ended():
                yield f"meter {name} of {id_} is retired"
            elif paid:
                yield f"level {', '.join(paid)} of meter {name}, which {id_} pays from, is retired"


def sample_sheet(ref: str) -> Sheet:
    """The sample `ref` as a sheet; not found where there is none."""
    from domain.sheets.reading import read_sheet
    from domain.sheets.samples import sample, sample_ids

    if ref not in sample_ids():
        raise NotFound("sheet.unknown", f"no sample {ref!r}; {meant(ref, sample_ids())}")
    return read_sheet(sample(ref))


@sheet.command(
    cls=Command,
    example="""
        rounds sheet publish mine.toml --by E01 --approved-by E02 --effective-from 2026-03-14T06:00:00-04:00
    """,
)
@click.argument("file", metavar="FILE", type=click.Path())
@click.option("--by", required=True, metavar="ID", help="Who publishes it.")
@click.option("--approved-by", required=True, multiple=True, metavar="ID", help="Who approved it: somebody else.")
@click.option("--effective-from", required=True, metavar="TIME", help="Rounds opened from then on may use it.")
@click.option("--at", metavar="TIME", help="When it is published.  [else now]")
@click.option("--command-id", metavar="ID", help="Send the same id again after any trouble.  [else a new one]")
@click.option("--dry-run", is_flag=True, help="Say whether it would be published, and publish nothing.")
@click.pass_obj
def publish(
    settings: Settings,
    file: str,
    by: str,
    approved_by: tuple[str, ...],
    effective_from: str,
    at: str | None,
    command_id: str | None,
    dry_run: bool,
) -> None:
    """Publish the sheet in FILE (.json or .toml). A published version never changes: raise `version`."""
    body = {
        "command": "publish_sheet",
        "command_id": command_id or f"sheet-{uuid4()}",
        "at": at or datetime.now().astimezone().isoformat(timespec="seconds"),
        "by": by,
        "sheet": _content(Path(file)),
        "effective_from": effective_from,
        "approved_by": list(approved_by),
    }
    receipt = _record(settings, body, dry_run=dry_run)
    refused = receipt.status == "refused"
    if not (refused and settings.format == "table"):
        document = receipt.as_json() | ({"dry_run": True} if dry_run else {})
        write_document(settings, document, text=lambda paper: _print_receipt(paper, receipt, body, dry_run=dry_run))
    if refused:
        click.echo(f"rounds: {receipt.code}: {receipt.message}", err=True)
        raise Finished(REFUSED)


def _content(path: Path) -> Mapping[str, Any]:
    from domain.sheets.reading import content_from_text

    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Misused("sheet.file", f"{path} is not text in UTF-8: {error.reason} at byte {error.start + 1}") from None
    return content_from_text(text, path.suffix.lower())


def _record(settings: Settings, body: Mapping[str, Any], *, dry_run: bool) -> Receipt:
    from domain.intake import command_and_digest

    submission = command_and_digest(json.dumps(body, ensure_ascii=False, default=str))
    with to_record(settings) as ledger:
        return (ledger.dry_run if dry_run else ledger.submit)([submission])[0]


def _print_receipt(paper: Paper, receipt: Receipt, body: Mapping[str, Any], *, dry_run: bool) -> None:
    ref = f"{body['sheet']['id']}@{body['sheet']['version']}"
    if dry_run:
        paper.print(f"Dry run, nothing is stored: {ref} would be published, effective {body['effective_from']}.")
        return
    before = "had been published before" if receipt.status == "repeated" else "is published"
    paper.print(f"{ref} {before}, effective {body['effective_from']}; position {receipt.position}.")

"""Read models: what people look at, projected from the log into tables that can be rebuilt to the same rows.

A report first catches up, so that a person sees the own write; a store that can only be read answers from what is
projected. Every report comes as a `Report`: `.rows`, the log `.position` that they stand at, and `.lag`, how many
events they are behind.

Keeping up (`projections.catalog`)

    catch_up(ledger, names=None, page=500) -> list[Status]
    rebuild(ledger, name=None, page=500, progress=None) -> list[Status]
    status(ledger, names=None) -> list[Status]    Status: name, schema, position, lag, error_position, error
    digest(ledger, name) -> str             a hash of the projection's rows, to compare two builds of it

Reports

    projections.balances.balances(ledger, player=None, as_of=None) -> Report
    projections.rounds.list_rounds(ledger, filters=Filters(), limit=None) -> Report
    projections.rounds.stream_rounds(ledger, filters=Filters()) -> Iterator[dict]
    projections.rounds.round_keys(ledger, filters=Filters()) -> Report      rows of `round` alone
    projections.rounds.similar_rounds(ledger, key, limit=5) -> list[str]
    projections.filters.Filters                             what is meant: place, time, seat, hand, line, finding
    projections.windows.windows(ledger, Asked(...)) -> tuple[Window, ...]   times on each property's own clock
    projections.hand_words.hand_meant(text) -> HandMeant                    `four eights`; ValueError
    projections.missing.missing_numbers(ledger, filters) -> Report
    projections.suggesting.similar_names(ledger, filter, wanted, limit=3) -> list[str]
    projections.meters.list_meters(ledger, as_of=None) -> Report
    projections.meters.show_meter(ledger, meter, as_of=None) -> Report      one row, none where there is no such meter
    projections.meters.discrepancies(ledger) -> Report
    projections.meter_reports.meter_report(ledger, Asked()) -> MeterReport  the day's document, None where no meter was
    projections.meter_life.meter_life(ledger, meter) -> Report              one row: points, hits, entries, readings
    projections.jackpots.list_jackpots(ledger, claims=Claims()) -> Report
    projections.jackpots.show_jackpots(ledger, round_key, line_id=None) -> Report
    projections.jackpots.missing_slips(ledger, property=None) -> Report
    projections.asof.parse(text) -> AsOf                                    POSITION|TIME; ValueError says what is wrong

Replays (`projections.replays`), folds on demand

    replay(ledger, round_key, at=None, seat=None) -> dict      NoSuchRound, NoSuchFrame, NoSuchSeat
    replay_all(ledger, filters=Filters()) -> Iterator[dict]
    projections.telling.tell(event, round_=None, seat=None) -> str

Many rounds computed anew

    projections.rechecks.in_processes(url, keys, work, processes=None) -> Iterator[list]
    projections.rechecks.recheck_rounds(ledger, rules, keys) -> list[Rechecked]             work: is all as recorded
    projections.what_if.consider(change, ledger, rules, keys) -> list[Considered]           work: under other rules

What goes wrong is a `LedgerError` with its code and exit code: NoSuchProjection, RebuildTakenOver, ProjectionAhead and
the three above.

Nothing is imported here, so that a command that needs no read model pays for none.
"""

"""What a jackpot's payment means for tax, by currency and payment year: which form is due and what is withheld.

The figures are data, one file a currency, each year with its source; the latest year known goes for those after it. The
test is made for every wager by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from domain import strict_json
from domain.money import withheld_cents


class Tax(NamedTuple):
    """By the figures of `figures_year`: the form that is due, None for none, and what is withheld of the payment."""

    figures_year: int
    form: str | None
    withheld_cents: int


class _Figures(NamedTuple):
    from_year: int
    form_from_cents: int
    withheld_above_cents: int
    multiple: int
    rate_bp: int
    source: str


def tax_on(paid_cents: int, wager_cents: int, *, year: int, currency: str, reported: str) -> Tax | None:
    """What tax law asks of a payment of `paid_cents`, a stake given back included, on a wager of `wager_cents`.

    A form is due from a least amount on that is also a multiple of the wager; `reported` says whether the `gross`
    payment is held against it or what is `net` of the wager. Withheld is a part of what is net of the wager where that
    is above an amount and such a multiple. None where no figures are known: another currency, or an earlier year.

    >>> tax_on(600_00, 2_00, year=2025, currency="USD", reported="gross")
    Tax(figures_year=2018, form='W-2G', withheld_cents=0)
    """
    figures = _figures(currency, year)
    if figures is None:
        return None
    net = paid_cents - wager_cents
    counted = net if reported == "net" else paid_cents
    least = figures.multiple * wager_cents
    due = counted >= max(figures.form_from_cents, least)
    withheld = net > figures.withheld_above_cents and net >= least
    return Tax(
        figures.from_year,
        _form(currency) if due or withheld else None,
        withheld_cents(net, figures.rate_bp) if withheld else 0,
    )


def _figures(currency: str, year: int) -> _Figures | None:
    known = [_Figures(**each) for each in _file(currency).get("years", ())]
    return max((each for each in known if each.from_year <= year), default=None)


def _form(currency: str) -> str:
    form: str = _file(currency)["form"]
    return form


@cache
def _file(currency: str) -> Mapping[str, Any]:
    path = Path(__file__).parent / f"{currency.lower()}.json"
    if not path.exists():
        return {}
    content: Mapping[str, Any] = strict_json.loads(path.read_text(encoding="utf-8"))
    return content

"""Sheets: the published rules that rounds are played under. Publishing one is `domain.sheets.reading`'s work.

The games look into sheets and the reading of a sheet looks into the games, so the reading is not imported here.
"""

from domain.sheets.building import fingerprint, sheet_of
from domain.sheets.samples import sample, sample_ids
from domain.sheets.sheet import Commission, EnvyTable, PayLine, Paytable, Sheet, WagerTerms

__all__ = [
    "Commission",
    "EnvyTable",
    "PayLine",
    "Paytable",
    "Sheet",
    "WagerTerms",
    "fingerprint",
    "sample",
    "sample_ids",
    "sheet_of",
]

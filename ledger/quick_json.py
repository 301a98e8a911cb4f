"""The JSON reader and writer that the intake reads a feed's plain lines with, in place of the strict ones."""

from __future__ import annotations

from functools import partial

import orjson

from domain.intake import QuickJson

QUICK = QuickJson(orjson.loads, partial(orjson.dumps, option=orjson.OPT_SORT_KEYS))

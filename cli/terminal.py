"""What the terminal at standard output can show: how wide it is, and whether it knows more than ASCII."""

from __future__ import annotations

import os
import shutil
import sys

WIDEST, NARROWEST = 120, 24


def page_width() -> int:
    """How many columns to write; lines that are wider than this nobody likes to read."""
    return min(max(shutil.get_terminal_size((80, 24)).columns, NARROWEST), WIDEST)


def screen_width() -> int:
    """How many columns the screen has, for tables: they are as wide as what they hold."""
    return max(shutil.get_terminal_size((80, 24)).columns, NARROWEST)


def encoding() -> str:
    """The encoding to write with: ASCII where neither the locale nor the stream says that there is UTF-8.

    Python takes the locales C and POSIX for UTF-8, which is right for files and wrong for a screen.
    """
    locale = os.environ.get("LC_ALL") or os.environ.get("LANG") or "C"
    guessed = sys.flags.utf8_mode and "PYTHONUTF8" not in os.environ and "utf" not in locale.lower()
    return "ascii" if guessed else sys.stdout.encoding or "ascii"

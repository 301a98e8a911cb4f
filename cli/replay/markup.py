"""HTML put together from parts, in which text is always escaped: only what this module made passes as it is."""

from __future__ import annotations

from html import escape

from cli.tables import clean

_EMPTY = frozenset({"meta", "input", "br"})


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def tag(name: str, /, *inside: str, **attributes: str | int | bool | None) -> Html:
    """An element. Text inside is escaped; an attribute that is None or False is left out, True stands without a value.

    >>> tag("p", "a < b", class_="x", data_from=3, hidden=True)
    '<p class="x" data-from="3" hidden>a &lt; b</p>'
    """
    written = "".join(_attribute(key, value) for key, value in attributes.items())
    end = "" if name in _EMPTY else f"</{name}>"
    return Html(f"<{name}{written}>{joined(*inside)}{end}")


def joined(*parts: str) -> Html:
    """Parts one after another, text among them escaped.

    >>> joined(tag("b", "x"), " & y")
    '<b>x</b> &amp; y'
    """
    return Html("".join(part if isinstance(part, Html) else escape(clean(part)) for part in parts))


def _attribute(key: str, value: str | int | bool | None) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(clean(str(value)))}"'

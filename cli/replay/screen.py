"""The full-screen view of a round, stepped through with the keys; the only module that imports Textual."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from cli.replay import panels
from cli.replay.drawing import Block
from cli.replay.stepper import Stepper
from cli.tables import in_ascii

LEAST = (40, 12)
"""The smallest terminal, columns and rows, in which stepping makes sense."""
BESIDE_FROM = 110
"""From so many columns on the events stand beside the table."""
EVENTS_WIDTH = 42
SAID_HEIGHT = 3


class Stepping(App[None]):
    """A round on the whole screen, one event at a time."""

    TITLE = "Round Ledger"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #title { height: auto; max-height: 2; }
    #middle { height: 1fr; }
    #table { width: 1fr; height: 100%; scrollbar-size-vertical: 1; }
    #events { width: 43; height: 100%; padding-left: 1; display: none; }
    #said { height: 3; background: $surface; }
    #keys { height: 1; color: $text-muted; }
    #small { display: none; }
    .wide #events { display: block; }
    .ascii #table, .ascii #paper { scrollbar-size: 0 0; }
    .small #title, .small #middle, .small #said, .small #keys { display: none; }
    .small #small { display: block; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space,l", "step(1)", priority=True),
        Binding("left,backspace,h", "step(-1)", priority=True),
        Binding("home", "to_start", priority=True),
        Binding("end", "to_end", priority=True),
        Binding("g", "ask_event"),
        Binding("p", "phase(1)"),
        Binding("P", "phase(-1)"),
        Binding("s", "seat"),
        Binding("e", "eyes"),
        Binding("m", "money"),
        Binding("question_mark", "help"),
        Binding("q", "quit"),
        Binding("ctrl+c", "quit", priority=True),
    ]

    def __init__(self, stepper: Stepper, *, ascii_only: bool = False) -> None:
        super().__init__()
        self.stepper = stepper
        self.ascii_only = ascii_only

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        with Horizontal(id="middle"):
            with VerticalScroll(id="table"):
                yield Static(id="felt")
            yield Static(id="events")
        yield Static(id="said")
        yield Static(id="keys")
        yield Static(id="small")

    def on_mount(self) -> None:
        self.query_one("#table").focus()
        self.screen.set_class(self.ascii_only, "ascii")
        self.draw()

    def on_resize(self, _: events.Resize) -> None:
        self.call_after_refresh(self.draw)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While something is asked or shown on top, its own keys count; the money is followed from step to step."""
        return len(self.screen_stack) == 1 or action == "quit" or isinstance(self.screen, Money)

    def draw(self) -> None:
        """Writes every part anew for the step that is looked at."""
        base = self.screen_stack[0]
        page, height = self.size
        base.set_class(page < LEAST[0] or height < LEAST[1], "small")
        base.set_class(page >= BESIDE_FROM, "wide")
        table_page = (page - EVENTS_WIDTH - 1 if page >= BESIDE_FROM else page) - 1
        title = panels.title(self.stepper, page)
        room = max(height - len(title) - SAID_HEIGHT - 1, 1)
        parts = {
            "title": title,
            "felt": panels.table(self.stepper.document, table_page, room),
            "events": panels.events(self.stepper, EVENTS_WIDTH - 1, room),
            "said": panels.said(self.stepper, page, SAID_HEIGHT),
            "keys": panels.short_keys(),
            "small": panels.too_small(page, height, LEAST),
        }
        for name, block in parts.items():
            base.query_one(f"#{name}", Static).update(self.text(block))
        if isinstance(self.screen, Money):
            self.screen.show(self._money())

    def text(self, block: Block) -> Text:
        """Rows of pieces as the library's text."""
        text = Text(no_wrap=True, overflow="crop", end="")
        for place, row in enumerate(block):
            text.append("\n" if place else "")
            for piece in row:
                text.append(in_ascii(piece.text) if self.ascii_only else piece.text, piece.style or None)
        return text

    def action_step(self, by: int) -> None:
        self.stepper.go(self.stepper.place + by)
        self.draw()

    def action_to_start(self) -> None:
        self.stepper.go(0)
        self.draw()

    def action_to_end(self) -> None:
        self.stepper.go(len(self.stepper.steps) - 1)
        self.draw()

    def action_phase(self, by: int) -> None:
        if by > 0:
            self.stepper.next_phase()
        else:
            self.stepper.last_phase()
        self.draw()

    def action_seat(self) -> None:
        self.stepper.next_seat()
        self.draw()

    def action_eyes(self) -> None:
        self.stepper.next_eyes()
        self.draw()

    def action_ask_event(self) -> None:
        def go(version: int | None) -> None:
            if version is not None:
                self.stepper.to_event(version)
                self.draw()

        self.push_screen(Ask(self.stepper.steps[-1]["frames"][-1]["version"]), go)

    def action_money(self) -> None:
        self.push_screen(Money(self._money()))

    def action_help(self) -> None:
        self.push_screen(Sheet(self.text(panels.help_rows(self._sheet_page()))))

    def _money(self) -> Text:
        return self.text(panels.money(self.stepper, self._sheet_page()))

    def _sheet_page(self) -> int:
        return min(self.size.width - 6, 90)


class Sheet(ModalScreen[None]):
    """Something to read on top of the table, until a key closes it."""

    CSS = """
    Sheet { align: center middle; }
    #paper { width: 100%; height: auto; max-height: 100%; padding: 0 2; background: $surface; }
    #paper Static { width: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,m,question_mark,enter", "dismiss")]

    def __init__(self, text: Text) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="paper"):
            yield Static(self._text, id="read")
            yield Static(Text("\nEsc closes this.", "dim"))

    def on_mount(self) -> None:
        self.set_class(self.app.screen_stack[0].has_class("ascii"), "ascii")
        self.query_one("#paper").focus()

    def on_resize(self, _: events.Resize) -> None:
        self.query_one("#paper").styles.max_height = self.app.size.height


class Money(Sheet):
    """The money of the step that is looked at; the keys that go to another step, seat or eyes still do."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space,l", "app.step(1)", priority=True),
        Binding("left,backspace,h", "app.step(-1)", priority=True),
        Binding("home", "app.to_start", priority=True),
        Binding("end", "app.to_end", priority=True),
        Binding("p", "app.phase(1)"),
        Binding("P", "app.phase(-1)"),
        Binding("s", "app.seat"),
        Binding("e", "app.eyes"),
    ]

    def show(self, text: Text) -> None:
        """Says it anew."""
        self.query_one("#read", Static).update(text)


class Ask(ModalScreen[int | None]):
    """Asks for the number of an event."""

    CSS = """
    Ask { align: center middle; }
    #asked { width: 40; height: auto; padding: 0 1; background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)")]

    def __init__(self, last: int) -> None:
        super().__init__()
        self._last = last

    def compose(self) -> ComposeResult:
        with Vertical(id="asked"):
            yield Static(f"Go to event 1 to {self._last}; Esc to stay", id="what")
            yield Input(type="integer", compact=True)

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        number = submitted.value.strip()
        if number.isascii() and number.isdigit() and 1 <= int(number) <= self._last:
            self.dismiss(int(number))
        else:
            self.query_one("#what", Static).update(
                f"There is no event {number or 'without a number'}; 1 to {self._last}"
            )

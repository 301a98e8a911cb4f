"""The page of a round in a browser: every step as recorded, by keys, wheel, buttons and links, on screen and paper."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from cli.replay import saying
from cli.replay.cards import spoken_cards
from cli.replay.money import purses
from domain.money import dollars
from tests.browser.conftest import ATTACK, Open, Round

if TYPE_CHECKING:
    from playwright.sync_api import Page

Document = dict[str, Any]
GAMES = (
    "one-round",
    "bank-surplus",
    "faceup-both-ace-high-and-two-hands",
    "six-h1-fortune-and-envy",
    "hcf-c2-fold-keeps-side-wagers",
    "tiger-9-pushes-everything",
    "meter-void-takes-back-everything",
    "correction",
    "misdeals",
    "jackpot-payment",
)


VISIBLE = """([selector, what]) =>
  [...document.querySelectorAll(selector)].filter(each => each.checkVisibility()).map(each => each[what])"""


def place(page: Page) -> int:
    """The step that is shown."""
    return int(page.inner_text("#place").split("/")[0])


def wait_for_step(page: Page, number: int) -> None:
    """Waits until a step is shown; the page's policy forbids to wait with a script in it."""
    page.wait_for_selector(f"#event-{number}[aria-current]")


def seen(page: Page, selector: str) -> list[str]:
    """The texts of what is visible."""
    found: list[str] = page.evaluate(VISIBLE, [selector, "innerText"])
    return found


def hands(document: Document) -> Iterator[str]:
    """What the page says of the cards of a document, in its order."""
    for spot in saying.spots(document):
        if spot["high"] is not None:
            yield f"high hand: {spoken_cards(spot['high'])}"
            yield f"low hand: {spoken_cards(spot['low'])}"
        elif spot["cards"] is not None:
            yield f"cards: {spoken_cards(spot['cards'])}"


def check_step(page: Page, document: Document) -> None:
    """Holds what is visible against the document of the step."""
    visible = (
        "[...document.querySelectorAll('.hand')].filter(each => each.checkVisibility()).map(each => each.ariaLabel)"
    )
    assert page.evaluate(visible) == list(hands(document))
    lines = [line for _, lines in saying.lines_by_state(document) for line in lines]
    shown = [text.replace("\n", " ") for text in seen(page, ".lines tbody tr")]
    assert len(shown) == len(lines)
    for line, text in zip(lines, shown, strict=True):
        assert saying.rule(line) in text
        assert saying.signed(line["net_cents"]) in text
    money = [text.split("\t")[:2] for text in seen(page, ".money tbody tr")]
    assert money == [[each.who, dollars(each.staked_cents)] for each in purses(document)]
    findings = seen(page, ".findings li")
    assert findings == [saying.finding(each) for each in document["findings"]]
    frame = document["frames"][-1]
    assert page.inner_text("#said") == f"{frame['at'][11:19]} {frame['text']}"


@pytest.mark.parametrize("name", GAMES)
def test_every_step_is_what_was_known_then(name: str, recorded: Callable[..., Round], open_page: Open) -> None:
    round_ = recorded(name)
    page = open_page(f"{round_.url}#step-1")
    for number, document in enumerate(round_.steps, start=1):
        assert place(page) == number
        check_step(page, document)
        page.keyboard.press("ArrowRight")
    assert place(page) == len(round_.steps)


def test_it_opens_at_the_end_and_every_way_of_stepping_works(example: Round, open_page: Open) -> None:
    page = open_page(example.url)
    last = len(example.steps)
    assert place(page) == last
    keyboard = page.keyboard
    acts: list[tuple[Callable[[], object], int]] = [
        (partial(keyboard.press, "Home"), 1),
        (partial(keyboard.press, "ArrowRight"), 2),
        (partial(keyboard.press, "ArrowLeft"), 1),
        (partial(keyboard.press, "ArrowLeft"), 1),
        (partial(page.click, "#on"), 2),
        (partial(page.click, "#back"), 1),
        (partial(page.click, "#end"), last),
        (partial(page.click, "#first"), 1),
        (partial(keyboard.press, "End"), last),
        (partial(keyboard.press, "p"), last),
        (partial(keyboard.press, "Shift+P"), 16),
        (partial(page.fill, "#slider", "7"), 7),
        (partial(page.click, "#event-4 a"), 4),
        (partial(page.click, ".phases a >> text=Dealt"), 12),
    ]
    for act, wanted in acts:
        act()
        assert place(page) == wanted
        assert page.evaluate("location.hash") == f"#step-{wanted}"
        assert page.get_attribute(f"#event-{wanted}", "aria-current") == "step"
        assert page.locator("#events [aria-current]").count() == 1


def test_the_phases_are_passed_one_by_one(example: Round, open_page: Open) -> None:
    page = open_page(f"{example.url}#step-1")
    passed = []
    for _ in range(6):
        page.keyboard.press("p")
        passed.append(page.inner_text(".phases [aria-current]"))
    assert passed == ["No more bets", "Dealt", "Setting", "Dealer", "Settling", "Settled"]


def test_the_wheel_over_the_table_steps_and_elsewhere_it_scrolls(example: Round, open_page: Open) -> None:
    page = open_page(f"{example.url}#step-5", height=500)
    page.hover("#felt .dealer")
    page.mouse.wheel(0, 60)
    wait_for_step(page, 6)
    page.mouse.wheel(0, -60)
    wait_for_step(page, 5)
    page.hover("h1")
    page.mouse.wheel(0, 200)
    page.wait_for_timeout(300)
    assert page.evaluate("scrollY") > 0
    assert place(page) == 5


def test_a_link_to_a_step_opens_it_and_may_change(example: Round, open_page: Open) -> None:
    page = open_page(f"{example.url}#step-12")
    assert place(page) == 12
    assert page.evaluate("scrollY") == 0
    page.evaluate("location.hash = '#step-3'")
    wait_for_step(page, 3)
    assert place(open_page(f"{example.url}#step-999")) == len(example.steps)
    assert place(open_page(f"{example.url}#nonsense")) == len(example.steps)


def test_the_buttons_say_where_there_is_no_further(example: Round, open_page: Open) -> None:
    page = open_page(f"{example.url}#step-1")
    assert [page.is_disabled(f"#{each}") for each in ("first", "back", "on", "end")] == [True, True, False, False]
    page.keyboard.press("End")
    assert [page.is_disabled(f"#{each}") for each in ("first", "back", "on", "end")] == [False, False, True, True]


def test_a_name_that_is_a_script_is_a_name(attacked: Round, open_page: Open) -> None:
    page = open_page(attacked.url)
    assert ATTACK in page.inner_text(".felt")
    assert ATTACK in page.inner_text("#events")
    assert page.locator("img").count() == 0
    assert page.title().startswith("Round PG01-20260314-1")


def test_a_script_that_got_in_all_the_same_would_not_run(example: Round, open_page: Open, browser: Any) -> None:
    page = browser.new_page()
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))
    page.set_content(
        example.file.read_text(encoding="utf-8").replace("</body>", "<script>window.caught = 1</script></body>")
    )
    assert page.evaluate("window.caught") is None
    assert any("Content Security Policy" in text for text in refused)
    page.close()


def test_without_its_script_the_page_has_the_whole_round(example: Round, open_page: Open) -> None:
    page = open_page(example.url, java_script_enabled=False)
    last = example.steps[-1]
    visible = [each for each in page.query_selector_all(".hand") if each.is_visible()]
    assert [each.get_attribute("aria-label") for each in visible] == list(hands(last))
    assert sum(each.is_visible() for each in page.query_selector_all("#events li")) == len(last["frames"])
    assert sum(each.is_visible() for each in page.query_selector_all(".lines tbody tr")) == len(last["lines"])


def luminance(colour: str) -> float:
    """How bright a colour is, as the accessibility guidelines count it."""
    channels = [int(each) / 255 for each in re.findall(r"\d+", colour)[:3]]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


COLOURS = """(selector) => {
  const found = document.querySelector(selector);
  let behind = found;
  const solid = (each) => /^rgb\\(/.test(getComputedStyle(each).backgroundColor);
  while (behind.parentElement && !solid(behind)) behind = behind.parentElement;
  return [getComputedStyle(found).color, getComputedStyle(behind).backgroundColor];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_what_is_behind_it(scheme: Any, example: Round, open_page: Open) -> None:
    page = open_page(example.url, color_scheme=scheme)
    for selector in (
        "h1",
        ".top > p",
        "#event-1 .text",
        "#event-1 .number",
        ".money td.gain",
        ".lines .loss",
        ".card.red",
        "footer p",
        ".events h2 .quiet",
        ".money .quiet",
        ".keys",
    ):
        text, behind = page.evaluate(COLOURS, selector)
        assert contrast(text, behind) >= 4.5, (selector, text, behind)


def test_it_follows_the_readers_choice_of_light_and_dark(example: Round, open_page: Open) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    light, dark = (open_page(example.url, color_scheme=each).evaluate(ground) for each in ("light", "dark"))
    assert luminance(light) > 0.8
    assert luminance(dark) < 0.05


@pytest.mark.parametrize("width", [320, 390, 768, 1024, 1600])
@pytest.mark.parametrize("name", ["one-round", "six-h1-fortune-and-envy"])
def test_nothing_runs_out_of_the_window(width: int, name: str, recorded: Callable[..., Round], open_page: Open) -> None:
    page = open_page(recorded(name).url, width=width, height=800)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.is_visible("#on")


@pytest.mark.parametrize("format_", ["Letter", "A4"])
@pytest.mark.parametrize("name", GAMES)
def test_a_round_is_a_page_on_paper(name: str, format_: str, recorded: Callable[..., Round], open_page: Open) -> None:
    page = open_page(f"{recorded(name).url}#step-2")
    paper = page.pdf(format=format_)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1


@pytest.mark.parametrize("width", [320, 1180])
def test_a_long_name_pushes_nothing_out(width: int, attacked: Round, open_page: Open) -> None:
    page = open_page(attacked.url, width=width, height=800)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="Letter"))) == 1


def test_paper_has_the_end_of_the_round_and_no_buttons(example: Round, open_page: Open) -> None:
    page = open_page(f"{example.url}#step-2")
    page.emulate_media(media="print")
    assert not page.is_visible(".controls")
    assert len(seen(page, ".lines tbody tr")) == len(example.steps[-1]["lines"])


def test_everything_can_be_reached_and_has_a_name(example: Round, open_page: Open) -> None:
    page = open_page(f"{example.url}#step-5")
    reached = []
    for _ in range(20):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id || document.activeElement.textContent"))
    assert reached[0] == "To the events"
    assert {"first", "back", "on", "end", "slider", "Dealt", "events"} <= set(reached)
    for each in page.query_selector_all("button, input, .hand"):
        assert each.get_attribute("aria-label")
    assert page.get_attribute("#said", "aria-live") == "polite"
    levels = [
        int(each) for each in page.evaluate("[...document.querySelectorAll('h1,h2,h3')].map(h => h.localName[1])")
    ]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_what_a_seat_does_not_see_is_a_back(recorded: Callable[..., Round], open_page: Open) -> None:
    round_ = recorded("one-round", "--as", "seat:5")
    page = open_page(f"{round_.url}#step-12")
    assert len(seen(page, ".card.back")) == 14
    page.keyboard.press("End")
    assert seen(page, ".card.back") == []
    for number, document in enumerate(round_.steps, start=1):
        page.evaluate(f"location.hash = '#step-{number}'")
        wait_for_step(page, number)
        check_step(page, document)

"""A Chromium, and pages of rounds to look at. CHROMIUM names the program; without it nothing here is collected."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from cli.main import app

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request

CHROMIUM = os.environ.get("CHROMIUM", "")
collect_ignore_glob = [] if CHROMIUM else ["test_*.py"]

CASES = Path(__file__).parents[1] / "cases"
ATTACK = "<script>document.title='caught'</script>\"'&<img src=x onerror=alert(1)>" + 120 * "x"
"""A name that is a script, and so long that it would push a page apart."""

Document = dict[str, Any]
Open = Callable[..., "Page"]


def run(*arguments: str) -> str:
    """What `rounds` answers."""
    result = CliRunner().invoke(app, list(arguments), prog_name="rounds")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.stdout


class Round:
    """A recorded round: its page as a file, and the documents of its steps."""

    def __init__(self, folder: Path, feed: Path, *options: str) -> None:
        store = f"sqlite:///{folder / 'rounds.db'}"
        run("--db", store, "record", "-q", str(feed))
        documents = [
            json.loads(line) for line in run("--db", store, "replay", "--all", "--format", "jsonl").splitlines()
        ]
        last = max(documents, key=lambda each: len(each["frames"]))
        key = last["round"]
        self.file = folder / "page.html"
        run("--db", store, "replay", key, *options, "--format", "html", "-o", str(self.file))
        numbers = range(1, len(last["frames"]) + 1)
        command = ("--db", store, "replay", key, *options, "--format", "json", "--at")
        self.steps: list[Document] = [json.loads(run(*command, str(number))) for number in numbers]

    @property
    def url(self) -> str:
        return self.file.as_uri()


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Round]:
    """Records the feed of a case once, and gives its longest round."""
    known: dict[tuple[str, ...], Round] = {}

    def give(name: str, *options: str) -> Round:
        if (name, *options) not in known:
            feed = CASES / ("examples" if name == "one-round" else "data") / f"{name}.jsonl"
            known[name, *options] = Round(tmp_path_factory.mktemp(name), feed, *options)
        return known[name, *options]

    return give


@pytest.fixture(scope="session")
def example(recorded: Callable[..., Round]) -> Round:
    """The published example."""
    return recorded("one-round")


@pytest.fixture(scope="session")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Round:
    """The example, played by somebody whose name is a script."""
    folder = tmp_path_factory.mktemp("attacked")
    feed = folder / "feed.jsonl"
    text = (CASES / "examples" / "one-round.jsonl").read_text(encoding="utf-8")
    feed.write_text(text.replace('"P200"', json.dumps(ATTACK)), encoding="utf-8")
    return Round(folder, feed)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The browser, for all tests."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM)
        yield opened
        opened.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    """Opens a page in a context of its own; whatever it logs, throws or fetches beside itself fails the test."""
    contexts = []
    trouble: list[str] = []

    def give(url: str, *, width: int = 1280, height: int = 900, **options: Any) -> Page:
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        opened = context.new_page()

        def fetched(request: Request) -> None:
            if request.url.split("#")[0] != url.split("#")[0]:
                trouble.append(f"fetched: {request.url}")

        opened.on("console", lambda message: trouble.append(f"console: {message.text}"))
        opened.on("pageerror", lambda error: trouble.append(f"error: {error}"))
        opened.on("dialog", lambda dialog: trouble.append(f"dialog: {dialog.message}"))
        opened.on("request", fetched)
        opened.goto(url)
        return opened

    yield give
    for context in contexts:
        context.close()
    assert trouble == []

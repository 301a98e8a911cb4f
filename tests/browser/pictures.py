"""Makes the pictures of a replay for the documents: `CHROMIUM=... python -m tests.browser.pictures`.

It needs pdftoppm (poppler) and pngquant beside Chromium. The pictures are of a round of the demonstration with two
fouls that the floor reset, and a correction that was taken back.
"""

from __future__ import annotations

import asyncio
import gzip
import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.replay.screen import Stepping
from cli.replay.stepper import Stepper
from ledger.service import Ledger
from projections.replays import replay_steps
from projections.viewing import viewer
from tests.browser.conftest import CHROMIUM, run

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"
ROUND = "HB-F1-20260501-10"
PAPER_DOTS = "90"


def main() -> None:
    """Records the demonstration's round and takes every picture of it."""
    assert CHROMIUM, "name a Chromium with CHROMIUM=..."
    from playwright.sync_api import sync_playwright

    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        store = f"sqlite:///{folder}/rounds.db"
        _record(store, Path(folder))
        page = Path(folder) / "page.html"
        run("--db", store, "replay", ROUND, "--format", "html", "-o", str(page))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM)
            _take_page(browser, page.as_uri(), Path(folder))
            browser.close()
        for name, size, keys in (
            ("step", (128, 44), ["P", "P", "P"]),
            ("step-small", (80, 24), ["P", "P", "P", "P", "P", "e", "e"]),
        ):
            (PICTURES / f"{name}.svg").write_text(asyncio.run(_screen(store, size, keys)), encoding="utf-8")


def _record(store: str, folder: Path) -> None:
    """Records what the demonstration holds, up to the round and what came after it."""
    feed = gzip.decompress((ROOT / "cli" / "data" / "demo.jsonl.gz").read_bytes()).splitlines(keepends=True)
    file = folder / "feed.jsonl"
    file.write_bytes(b"".join(feed))
    run("--db", store, "record", "-q", str(file))


def _take_page(browser: Browser, url: str, folder: Path) -> None:
    views: dict[str, dict[str, Any]] = {
        "page-light": {"viewport": {"width": 1180, "height": 820}},
        "page-dark": {"viewport": {"width": 1180, "height": 820}, "color_scheme": "dark"},
        "page-phone": {"viewport": {"width": 390, "height": 844}},
    }
    steps = {"page-light": "", "page-dark": "#step-18", "page-phone": ""}
    for name, options in views.items():
        context = browser.new_context(**options)
        page = context.new_page()
        page.goto(f"{url}{steps[name]}")
        page.screenshot(path=PICTURES / f"{name}.png")
        context.close()
    page = browser.new_page()
    page.goto(url)
    page.pdf(path=folder / "page.pdf", format="Letter")
    drawn = [
        "pdftoppm",
        "-r",
        PAPER_DOTS,
        "-png",
        "-singlefile",
        str(folder / "page.pdf"),
        str(PICTURES / "page-print"),
    ]
    subprocess.run(drawn, check=True)
    for picture in PICTURES.glob("*.png"):
        subprocess.run(["pngquant", "--force", "--strip", "--output", str(picture), "128", str(picture)], check=True)


async def _screen(store: str, size: tuple[int, int], keys: list[str]) -> str:
    """The full-screen view as a picture, with the fonts of whoever looks at it."""
    with Ledger.open(store, create=False) as ledger:
        stepper = Stepper(lambda seat, eyes: replay_steps(ledger, ROUND, seat, viewer(eyes)))
        app = Stepping(stepper)
        async with app.run_test(size=size) as pilot:
            await pilot.press(*keys)
            await pilot.pause()
            picture = app.export_screenshot(title=f"rounds replay {ROUND} --step")
    without_fonts = re.sub(r"@font-face \{.*?\}\s*|<!--.*?-->\s*", "", picture, flags=re.DOTALL)
    return re.sub(r"terminal-\d+-", "terminal-", without_fonts.replace("Fira Code", "DejaVu Sans Mono"))


if __name__ == "__main__":
    os.chdir(ROOT)
    main()

"""Sample sheets, one data file each, for trials and demonstrations; every table in them says where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from domain import strict_json


@cache
def sample_ids() -> tuple[str, ...]:
    """The samples' names, `id@version` each, in alphabetical order."""
    return tuple(sorted(_files()))


def sample(ref: str) -> Mapping[str, Any]:
    """The content of the sample `id@version`, as an operator would publish it; KeyError where there is none."""
    content: dict[str, Any] = strict_json.loads(_files()[ref].read_text(encoding="utf-8"))
    assert f"{content['id']}@{content['version']}" == ref, f"the sample {ref} is named for another sheet"
    return content


@cache
def _files() -> Mapping[str, Path]:
    """The files by their samples' names: `fortune-cardroom@1` is in `fortune-cardroom-1.json`."""
    return {"@".join(path.stem.rsplit("-", 1)): path for path in Path(__file__).parent.glob("*.json")}

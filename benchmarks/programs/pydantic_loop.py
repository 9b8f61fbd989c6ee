"""Each line through pydantic: the contract as a typed dict, its faster way, and the result thrown away."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, NotRequired

from pydantic import ConfigDict, Field, TypeAdapter
from typing_extensions import TypedDict

from benchmarks.programs import NON_BLANK, Places
from benchmarks.programs.loop import failing

Text = Annotated[str, Field(pattern=NON_BLANK)]


class Row(TypedDict):
    """A row of the contract, as far as types say it."""

    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]

    id: Text | int | float | bool
    input: Text | int | float | bool | list[Any] | dict[str, Any]
    expected: NotRequired[Any]
    split: NotRequired[str]
    slice: NotRequired[list[str]]
    tags: NotRequired[list[str]]
    metadata: NotRequired[dict[str, Any]]


def run(path: Path) -> Places:
    """Lines that do not validate (its error is a ValueError)."""
    validate = TypeAdapter(Row).validator.validate_json
    return failing(path, lambda line: validate(line) is not None)

"""One case as an object."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from evalset_frames.canonical.json_text import json_texts
from evalset_frames.limits import unlimited

_IN_ORDER: Final = ("id", "input", "expected", "split", "slice", "tags", "context", "metadata")
_SHOWN: Final = 60
_EMPTY: Final = {"slice": tuple, "tags": tuple, "context": dict, "metadata": dict}
"""The fields whose values say nothing when they are empty; any other value but None says something."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class EvalCase:
    """One case of an `EvalSet`.

    A case is made anew each time it is asked for: its dicts are yours, and what you do to them changes no
    set. Two cases are equal when they say the same, key for key and by JSON type (1 is 1.0, and neither
    ``"1"`` nor ``True``); where they came from does not count.

    Attributes:
        input: What the system under test is given.
        expected: The reference output; None where there is none, or where it is null.
        context: Passed to the target and to metrics; ``{}`` where it is not given (eval-case/v1).
        metadata: For filtering; ``{}`` where it is not given.
        id: Names the case (eval-set/v1).
        split: Its split, such as ``"test"`` (eval-set/v1).
        slice: The parts of the set it belongs to (eval-set/v1).
        tags: Free labels (eval-set/v1).
        source: The file or table it was read from.
        row: Its data row there, from 1.
        line: The file line it starts on; None where there are no lines.
        given: Keys that the record has: tells null from not given, and ``{}`` likewise. A key whose value
            says something is given, whatever stands here.

    Example:
        >>> case = EvalCase(input="What is 2+2?", expected="4")
        >>> case
        EvalCase(input='What is 2+2?', expected='4')
        >>> case == EvalCase(input="What is 2+2?", expected="4", row=7), case.to_dict()
        (True, {'input': 'What is 2+2?', 'expected': '4'})
    """

    input: Any
    expected: Any = None
    context: dict[str, Any] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)
    id: str | None = None
    split: str | None = None
    slice: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    source: str | None = None
    row: int | None = None
    line: int | None = None
    given: frozenset[str] = frozenset({"input"})

    def __post_init__(self) -> None:
        unsaid = [name for name in _IN_ORDER if name not in self.given and self._has(name)]
        if unsaid:
            object.__setattr__(self, "given", self.given.union(unsaid))

    def _has(self, name: str) -> bool:
        """Whether a key is the record's; context and metadata may have been filled since."""
        value = getattr(self, name)
        is_empty = value is None or (type(value) is _EMPTY.get(name) and not value)
        return not is_empty or name in self.given

    def to_dict(self) -> dict[str, Any]:
        """The case as a record: the given keys, in the contract's order, with lists for labels."""
        values = {name: getattr(self, name) for name in _IN_ORDER if self._has(name)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    def __evalset_record__(self) -> dict[str, Any]:
        return self.to_dict()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EvalCase):
            return NotImplemented
        return self._text() == other._text()

    def __hash__(self) -> int:
        return hash(self._text())

    def __repr__(self) -> str:
        with unlimited():
            told = [f"{name}={_cut(repr(value))}" for name, value in self.to_dict().items()]
        return f"EvalCase({', '.join(told)})"

    def _text(self) -> str:
        return json_texts([self.to_dict()])[0]


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"

"""The functions that tables name: one value of a vendor's row, taken for a v1 field."""

from __future__ import annotations

import re
from typing import Any, Final

from evalset_frames.exchange.foreign.model import Taken

LONE_VARS: Final = frozenset({"input", "question", "query", "prompt"})
_ROW_NUMBER: Final = re.compile(r"Row #[0-9]+")


def first_label(value: Any) -> Taken | None:
    """A text, or the first of a list; of several, all stay in metadata.

    Example:
        >>> first_label(["test", "smoke"]).value, first_label(["test"]).note, first_label({})
        ('test', None, None)
    """
    if type(value) is str:
        return Taken(value)
    if type(value) is not list or not value or any(type(item) is not str for item in value):
        return None
    if len(value) == 1:
        return Taken(value[0])
    return Taken(value[0], left=value, note="hold several labels; the first is taken")


def description(value: Any) -> Taken | None:
    """A description as id, unless it is the number that promptfoo gives to rows without one.

    Example:
        >>> description("refund"), description("Row #7")
        (Taken(value='refund', ...), None)
    """
    return Taken(value) if type(value) is str and not _ROW_NUMBER.fullmatch(value) else None


def lone_variable(value: Any) -> Taken | None:
    """The value of the only variable if it is called input, question, query or prompt, else all variables.

    Example:
        >>> lone_variable({"question": "1 + 1"}).value, lone_variable({"city": "Bern"}).value
        ('1 + 1', {'city': 'Bern'})
    """
    if type(value) is not dict:
        return None
    names = list(value)
    return Taken(value[names[0]] if len(names) == 1 and names[0] in LONE_VARS else value)


def first_equals(value: Any) -> Taken | None:
    """The value of the first assertion that is plain equality; the others have no home.

    Example:
        >>> taken = first_equals([{"type": "cost", "threshold": 1}, {"type": "equals", "value": "4"}])
        >>> taken.value, taken.left
        ('4', [{'type': 'cost', 'threshold': 1}])
    """
    if type(value) is not list:
        return None
    for at, item in enumerate(value):
        if type(item) is dict and item.get("type") == "equals" and "value" in item:
            more = {key: of for key, of in item.items() if key not in ("type", "value")}
            rest = [*value[:at], *([{"type": "equals", **more}] if more else []), *value[at + 1 :]]
            return Taken(item["value"], left=rest) if rest else Taken(item["value"])
    return None


def answer_texts(value: Any) -> Taken | None:
    """SQuAD's ``{text, answer_start}``: the texts, all of them; the places have no home. Others as they are.

    Example:
        >>> answer_texts({"text": ["Bern"], "answer_start": [7]})
        Taken(value=['Bern'], left={'answer_start': [7]}, note=None)
    """
    if type(value) is not dict or type(value.get("text")) is not list:
        return Taken(value)
    rest = {key: of for key, of in value.items() if key != "text"}
    return Taken(value["text"], left=rest) if rest else Taken(value["text"])

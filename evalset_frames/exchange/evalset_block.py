"""The block ``metadata.evalset``: what a vendor has no home for, and how to undo what was changed.

::

    {"keys": ["id", "input", "split"],    the v1 fields that the row had
     "id": …, "split": …, …               fields without a home elsewhere
     "lifted": ["tags"],                  fields that stand at the top of the vendor's metadata
     "enc": {"input": "json"},            native fields that hold JSON text instead of the value
     "wrap": ["expected"],                native fields that hold an object around the value
     "md": {…}}                           metadata keys that the vendor keeps for itself

Only ``keys`` is always there. No value stands twice: native fields are decoded from where they are, so that
what was edited at the vendor comes back edited.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from evalset_frames.exchange.profile import Record, Row, Way
from evalset_frames.names import FIELDS, RESERVED_KEY

_REQUIRED: Final = ("id", "input")
_SHAPE: Final = {"lifted": list, "enc": dict, "wrap": list, "md": dict}


@dataclass(frozen=True)
class Unpacked:
    """A vendor's metadata, taken apart.

    Attributes:
        keys: The v1 fields that the row had when it was exported.
        fields: Those that stood in the metadata.
        metadata: The v1 metadata.
        enc: Native field -> how its text is encoded.
        wrap: Native fields whose value stands within an object.
    """

    keys: Collection[str]
    fields: Row
    metadata: dict[str, Any]
    enc: Mapping[str, str]
    wrap: Collection[str]


def lifts(row: Row, field: str) -> bool:
    """Whether a field can stand at the top of the vendor's metadata: no key of the row's own is there."""
    return field not in row.get("metadata", {})


def lift_ways(field: str, note: str = "") -> tuple[Way, Way]:
    """Where a field goes that is lifted: to the top of ``metadata``, else into the block."""
    return (
        Way(field, "", f"metadata.{field}", "carried", note, lambda row: lifts(row, field)),
        Way(field, f"metadata has a key {field}", f"metadata.{RESERVED_KEY}.{field}", "carried"),
    )


def pack(
    row: Row,
    carried: Sequence[str],
    *,
    lifted: Collection[str] = (),
    enc: Mapping[str, str] | None = None,
    wrap: Sequence[str] = (),
    reserved: Collection[str] = (),
) -> Record:
    """The vendor's metadata of a row.

    Args:
        row: The v1 row.
        carried: Its fields that have no home elsewhere.
        lifted: Which of them stand at the top of the metadata where their name is free, since the vendor
            filters by what is there.
        enc: Native field -> how its text is encoded.
        wrap: Native fields whose value stands within an object.
        reserved: Metadata keys that the vendor keeps for itself.

    Example:
        >>> row = {"id": "a", "input": 1, "split": "test", "metadata": {"k": 1}}
        >>> pack(row, ["id", "split"], lifted=["split"])
        {'k': 1, 'split': 'test',
         'evalset': {'keys': ['id', 'input', 'split', 'metadata'], 'id': 'a', 'lifted': ['split']}}
    """
    metadata = row.get("metadata", {})
    here = [name for name in carried if name in row]
    top = [name for name in here if name in lifted and lifts(row, name)]
    details = {
        "lifted": top,
        "enc": enc,
        "wrap": wrap,
        "md": {key: value for key, value in metadata.items() if key in reserved},
    }
    block = {
        "keys": [name for name in FIELDS if name in row],
        **{name: row[name] for name in here if name not in top},
        **{name: value for name, value in details.items() if value},
    }
    own = {key: value for key, value in metadata.items() if key not in reserved}
    return {**own, **{name: row[name] for name in top}, RESERVED_KEY: block}


def unpack(metadata: Any) -> Unpacked | None:
    """Take a vendor's metadata apart; None where it holds no block of ours.

    Example:
        >>> unpack({"k": 1, "evalset": {"keys": ["id", "input"], "id": "a"}}).fields
        {'id': 'a'}
        >>> unpack({"evalset": "mine"})
    """
    block = metadata.get(RESERVED_KEY) if type(metadata) is dict else None
    if type(block) is not dict or not _is_of_a_row(block.get("keys")):
        return None
    if any(type(block.get(name, kind())) is not kind for name, kind in _SHAPE.items()):
        return None
    top = {name: metadata[name] for name in FIELDS if name in block.get("lifted", []) and name in metadata}
    own = {key: value for key, value in metadata.items() if key not in top and key != RESERVED_KEY}
    return Unpacked(
        keys=block["keys"],
        fields={name: block[name] for name in FIELDS if name in block} | top,
        metadata=own | block.get("md", {}),
        enc=block.get("enc", {}),
        wrap=block.get("wrap", []),
    )


def _is_of_a_row(keys: Any) -> bool:
    """Whether these are keys of a row without error findings."""
    return type(keys) is list and all(key in keys for key in _REQUIRED) and all(key in FIELDS for key in keys)


def restored(unpacked: Unpacked, native: Mapping[str, Any]) -> Row:
    """The v1 row; input and expected that are not there any more are null.

    Args:
        unpacked: The vendor's metadata, taken apart.
        native: The fields that have a home of their own, decoded; without those that are not there.
    """
    found = {**unpacked.fields, **native}
    if unpacked.metadata or "metadata" in unpacked.keys:
        found["metadata"] = unpacked.metadata
    for name in ("input", "expected"):
        if name in unpacked.keys:
            found.setdefault(name, None)
    return {name: found[name] for name in FIELDS if name in found}

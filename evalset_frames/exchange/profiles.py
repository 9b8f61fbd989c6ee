"""The profiles by name. To add one: CONTRIBUTING.md, "Add an exchange profile"."""

from __future__ import annotations

from typing import Final

from evalset_frames.errors import UsageError
from evalset_frames.exchange import braintrust, deepeval, langsmith, promptfoo
from evalset_frames.exchange.profile import Class, Profile, Record, Row
from evalset_frames.names import FIELDS
from evalset_frames.sources.options import refuse_other_than_text

_ALL: Final = (
    promptfoo.PROFILE,
    promptfoo.PLAIN,
    deepeval.PROFILE,
    deepeval.LINES,
    langsmith.PROFILE,
    braintrust.PROFILE,
)
"""Of several styles of one vendor, the first is what is written unless another is asked for."""

PROFILES: Final[dict[str, tuple[Profile, ...]]] = {
    name: tuple(profile for profile in _ALL if profile.name == name)
    for name in dict.fromkeys(profile.name for profile in _ALL)
}
"""Vendor -> its styles."""

IMPORT_ONLY: Final = {"openai-evals": "OpenAI Evals"}
"""Formats that are read and, on purpose, not written."""


def profile_of(vendor: str, style: str | None = None, dataset: str | None = None) -> Profile:
    """The profile to export with.

    Args:
        vendor: A key of `PROFILES`.
        style: One of the vendor's styles; None: its first.
        dataset: Name of LangSmith's dataset, which ids depend on.

    Raises:
        UsageError: There is no such vendor or style, or a name that says nothing.
    """
    refuse_other_than_text(to=vendor, style=style, dataset=dataset)
    if vendor in IMPORT_ONLY:
        raise UsageError(
            f"{IMPORT_ONLY[vendor]} is read and not written, on purpose; evalset import --from {vendor} reads"
            f" it; to export, name one of {', '.join(PROFILES)}"
        )
    if vendor not in PROFILES:
        raise UsageError(f"there is no export to {vendor!r}; name one of {', '.join(PROFILES)}")
    found = {profile.style: profile for profile in PROFILES[vendor]}
    if style is not None and style not in found:
        raise UsageError(f"{vendor} has no style {style!r}; its styles are {', '.join(found)}")
    if dataset is not None and PROFILES[vendor][0].dataset is None:
        raise UsageError(f"dataset is for {langsmith.PROFILE.name}, which makes ids of it; not for {vendor}")
    if dataset == "":
        raise UsageError("the name of the dataset is empty; give one, or none to take the source's")
    profile = found[style] if style is not None else PROFILES[vendor][0]
    return profile if dataset is None else langsmith.for_dataset(dataset)


def restore(vendor: str, record: Record) -> Row | None:
    """The v1 row of a record that we exported; None where the record is not one of ours.

    Args:
        vendor: A key of `PROFILES`.
        record: The record, as it was exported or as the vendor gives it back.
    """
    return PROFILES[vendor][0].restore(record)


def classes() -> dict[str, dict[str, tuple[Class, ...]]]:
    """Vendor's title -> v1 field -> how it is kept there, by whatever way it goes."""
    return {
        styles[0].title: {
            name: tuple(dict.fromkeys(way.kept for way in styles[0].ways if way.field == name))
            for name in FIELDS
        }
        for styles in PROFILES.values()
    }

"""The contract as a pandera schema for canonical frames, generated from the schema document.

This is the only module that knows pandera, and it imports it when first asked for a schema.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from evalset_frames.contract.model import Contract, FieldSpec
from evalset_frames.contract.registry import DEFAULT, load
from evalset_frames.flags import refuse_other_than_flags
from evalset_frames.names import KINDS
from evalset_frames.text import TRIM

if TYPE_CHECKING:
    from pandera.polars import Check, Column, DataFrameSchema, PolarsData


def frame_schema(contract: str = DEFAULT, *, unique_ids: bool = False) -> DataFrameSchema:
    """The pandera schema that mirrors a contract, for canonical frames (`scan`, `read`; not ``raw=True``).

    A row fails it exactly when its canonical JSON row fails the contract's schema document, except that
    a number or boolean standing as the id's text passes (reading made it text). Kind columns are taken
    at their word. Each check is named after the rule it mirrors: ``id.required``, ``input.required``,
    ``field.type``, ``metadata.reserved``; so ``SchemaErrors.failure_cases["check"]`` holds rule ids and
    ``["index"]`` the position of the row in the frame, counted from 0. Further columns, in any order, are
    allowed; nothing is coerced.

    That an id repeats is a matter of the set and not of the contract's schema, hence left out unless
    `unique_ids` asks for it. pandera's own ``unique=True`` is no substitute: it counts rows without an
    id as duplicates of each other.

    pandera looks at names and dtypes alone when it is handed a LazyFrame, and says nothing of the data.
    This schema collects a LazyFrame once, checks it all, and returns it lazy again. An explicit setting
    of pandera's validation depth, ``PANDERA_VALIDATION_DEPTH`` or its ``config_context``, is obeyed. For
    sets larger than memory use ``evalset_frames.check``.

    Args:
        contract: Name of the contract.
        unique_ids: Also fail every row whose id occurs again in the frame (``id.duplicate``), rows
            without an id set aside.

    Returns:
        A ``pandera.polars.DataFrameSchema``, to be changed and combined like any other.

    Raises:
        ContractError: If there is no such contract.
        UsageError: If `unique_ids` is no bool.

    Example:
        >>> schema = frame_schema()
        >>> list(schema.columns)[:4], schema.columns["slice"].dtype
        (['source', 'row', 'line', 'id'], DataType(List(String)))
    """
    refuse_other_than_flags(unique_ids=unique_ids)
    found = load(contract)
    return _schema_type()(
        dict(_columns(found, unique_ids)),
        name=found.name,
        title=f"{found.name}, published {found.published_on}",
        description=found.schema.get("description"),
        metadata={"contract": found.name, "uri": found.uri, "digest": found.digest},
    )


def _columns(contract: Contract, unique_ids: bool) -> Iterator[tuple[str, Column]]:
    from pandera.polars import Column  # noqa: PLC0415 - loaded when asked for

    yield "source", Column(pl.String, description="The source as it was given.")
    yield "row", Column(pl.Int64, description="Data row, counted from 1.")
    yield "line", Column(pl.Int64, nullable=True, description="File line, counted from 1, or null.")
    for spec in contract.fields:
        dtype = pl.List(pl.String) if spec.list_of_text else pl.String
        checks = list(_value_checks(spec, unique_ids))
        yield spec.name, Column(dtype, checks, nullable=True, title=spec.name, description=spec.description)
    for spec in contract.fields:
        description = f"JSON type of {spec.name}."
        yield f"{spec.name}_kind", Column(pl.Enum(KINDS), _kind_check(spec), description=description)


# ---------------------------------------------------------------------------------------------- checks


def _rule(spec: FieldSpec) -> str:
    return f"{spec.name}.required" if spec.required else "field.type"


def _check(holds: Callable[..., pl.LazyFrame | bool], rule: str, **facts: Any) -> Check:
    from pandera.polars import Check  # noqa: PLC0415 - loaded when asked for

    return Check(holds, name=rule, ignore_na=False, **facts)


def _kind_check(spec: FieldSpec) -> Check:
    allowed = spec.kinds | spec.read_as_text | (set() if spec.required else {"absent"})
    return _check(_kind_allowed, _rule(spec), allowed=sorted(allowed))


def _value_checks(spec: FieldSpec, unique_ids: bool) -> Iterator[Check]:
    text = sorted(({"string"} & spec.kinds) | spec.read_as_text)
    valued = sorted((spec.kinds | spec.read_as_text) - {"null"})
    yield _check(_is_list_of_text if spec.list_of_text else _has_value, _rule(spec), kinds=valued)
    if spec.not_blank:
        yield _check(_is_not_blank, _rule(spec), kinds=text)
    if spec.forbidden_keys:
        yield _check(_lacks_keys, f"{spec.name}.reserved", keys=spec.forbidden_keys)
    if unique_ids and spec.name == "id":
        yield _check(_is_unique, "id.duplicate", kinds=text)


def _kind_allowed(data: PolarsData, allowed: Collection[str]) -> pl.LazyFrame:
    return data.lazyframe.select(pl.col(data.key).cast(pl.String).is_in(allowed))


def _has_value(data: PolarsData, kinds: Collection[str]) -> pl.LazyFrame | bool:
    return _where(data, kinds, pl.col(data.key).is_not_null())


def _is_list_of_text(data: PolarsData, kinds: Collection[str]) -> pl.LazyFrame | bool:
    items = pl.col(data.key).list
    return _where(data, kinds, items.drop_nulls().list.len() == items.len())


def _is_not_blank(data: PolarsData, kinds: Collection[str]) -> pl.LazyFrame | bool:
    return _where(data, kinds, _trimmed(data) != "")


def _is_unique(data: PolarsData, kinds: Collection[str]) -> pl.LazyFrame | bool:
    text = _trimmed(data)
    given = text.is_not_null() & (text != "") & _kind(data).is_in(kinds)
    return _where(data, kinds, pl.when(given).then(text).is_unique() | ~given)


def _lacks_keys(data: PolarsData, keys: Collection[str]) -> pl.LazyFrame | bool:
    """True where the object in a cell of JSON text lacks all of `keys` at its top level.

    A cheap search nominates the rows that hold a key's text anywhere, or an escape that could spell it;
    only those are read.
    """
    text = pl.col(data.key)
    signs = [json.dumps(key, ensure_ascii=False) for key in keys] + ["\\u"]
    suspect = pl.when(text.str.contains_any(signs)).then(text)
    holds = suspect.map_elements(
        lambda cell: not set(keys).isdisjoint(_top_level_keys(cell)), return_dtype=pl.Boolean
    )
    return _where(data, ["object"], ~holds.fill_null(value=False))


def _where(data: PolarsData, kinds: Collection[str], holds: pl.Expr) -> pl.LazyFrame | bool:
    """`holds`, asked only of rows of these kinds; null is a no.

    A frame without the kind column passes here: pandera reports the missing column by itself.
    """
    if f"{data.key}_kind" not in data.lazyframe.collect_schema():
        return True
    return data.lazyframe.select(~_kind(data).is_in(kinds) | holds.fill_null(value=False))


def _kind(data: PolarsData) -> pl.Expr:
    return pl.col(f"{data.key}_kind").cast(pl.String)


def _trimmed(data: PolarsData) -> pl.Expr:
    return pl.col(data.key).str.strip_chars(TRIM)


_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*+"(\s*:)?|[{}\[\]]')


def _top_level_keys(text: str) -> Iterator[str]:
    """Keys of the JSON object that `text` writes, read off its brackets and strings.

    A parser would also have to swallow nesting and numbers of any size; keys need neither.
    """
    depth = 0
    for token in _TOKEN.finditer(text):
        match token[0][0]:
            case "{" | "[":
                depth += 1
            case "}" | "]":
                depth -= 1
            case _ if depth == 1 and token[1]:
                yield json.loads(token[0].removesuffix(token[1]))


# ---------------------------------------------------------------------------------------- lazy frames


@cache
def _schema_type() -> type[DataFrameSchema]:
    from pandera.polars import DataFrameSchema  # noqa: PLC0415 - loaded when asked for

    class CanonicalFrameSchema(DataFrameSchema):
        """A DataFrameSchema that checks the data of LazyFrames, too."""

        @classmethod
        def get_backend(cls, check_obj: Any = None, check_type: type | None = None) -> Any:
            return DataFrameSchema.get_backend(check_obj, check_type)

        def validate(self, check_obj: Any, *args: Any, **options: Any) -> Any:
            if isinstance(check_obj, pl.LazyFrame) and _data_is_checked():
                return super().validate(check_obj.collect(), *args, **options).lazy()
            return super().validate(check_obj, *args, **options)

    # Pickle finds the class by its name, through __getattr__ below.
    CanonicalFrameSchema.__qualname__ = CanonicalFrameSchema.__name__
    return CanonicalFrameSchema


def _data_is_checked() -> bool:
    from pandera import config  # noqa: PLC0415 - loaded when asked for

    here = config.get_config_context(validation_depth_default=None)
    depth = here.validation_depth or config.get_config_global().validation_depth
    return here.validation_enabled and depth is not config.ValidationDepth.SCHEMA_ONLY


def __getattr__(name: str) -> Any:
    if name == "CanonicalFrameSchema":
        return _schema_type()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""Running a contract for rows over a source, block after block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from evalset_frames.contract.row_contract import RowContract
from evalset_frames.engines.inputs import Input
from evalset_frames.engines.local import no_garbage_collection
from evalset_frames.errors import UsageError
from evalset_frames.examine.row_findings import RowFindings
from evalset_frames.rowschema.judge import Judge
from evalset_frames.rowschema.reading import RowPlan, read_rows
from evalset_frames.sources.block import Block
from evalset_frames.sources.readers import Reader


def row_plan(ready: Input, reader: Reader, contract: RowContract) -> RowPlan:
    """How the reader's columns become the contract's rows.

    Raises:
        UsageError: Unknown keys are to be errors, which is the contract's business.
        MappingError: A mapping that cannot be meant.
    """
    if ready.options.unknown_keys != "fold":
        raise UsageError(
            f"--unknown-keys error (unknown_keys='error') is for eval-set/v1; {contract.name} itself says"
            " which keys it takes (additionalProperties)"
        )
    columns: Mapping[str, str] = dict(ready.options.columns or {})  # type: ignore[arg-type]
    if ready.notes:  # by the usual names, which are eval-set/v1's
        columns = {name: column for name, column in columns.items() if name in contract.property_names}
    return RowPlan(contract, reader.family, columns)


def examined(reader: Reader, judge: Judge, into: RowFindings) -> Iterator[Block]:
    """Read a source to its end and keep what is found.

    Args:
        reader: Its reader, not yet begun.
        judge: The contract.
        into: Where it is kept.

    Returns:
        The blocks, with rows as the contract sees them.

    Raises:
        MappingError: A mapped column is nowhere in the source.
    """
    into.header = reader.header
    with no_garbage_collection():
        for block in reader:
            rows = read_rows(block, into.plan)
            into.add(block, rows, judge.breaches(rows.groups, block.n))
            yield replace(block, groups=rows.groups)
    if into.seen:
        into.plan.refuse_unseen(dict.fromkeys(into.seen))

"""What users call to check a set."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

import polars as pl

from evalset_frames.api.reading import CONTRACT, again_and_again, canonical_or_source, held_still, sources_of
from evalset_frames.canonical.plan import Plan
from evalset_frames.canonical.reread import canonical_facts, canonical_parts
from evalset_frames.contract import registry
from evalset_frames.contract.row_contract import ContractLike
from evalset_frames.engines.cores import n_workers
from evalset_frames.engines.inputs import Input, apart, make_ready
from evalset_frames.engines.local import collect
from evalset_frames.engines.memory import budget
from evalset_frames.engines.stamps import Stamp, Watch, stamp
from evalset_frames.engines.values import with_values
from evalset_frames.errors import UsageError
from evalset_frames.examine.collect import Collected
from evalset_frames.examine.finish import finish
from evalset_frames.examine.id_store import IdStore
from evalset_frames.flags import refuse_other_than_flags
from evalset_frames.names import FRAME_SOURCE
from evalset_frames.progress import byte_bar
from evalset_frames.report import steps
from evalset_frames.report.base import FailOn
from evalset_frames.report.check_report import CheckReport
from evalset_frames.report.check_screen import Exports
from evalset_frames.sources.block import Header
from evalset_frames.sources.opening import size_hint
from evalset_frames.sources.options import ReadOptions, column_names, read_options
from evalset_frames.sources.queries import collected


def check(
    source: object,
    *,
    contract: ContractLike = CONTRACT,
    together: bool = False,
    require: Sequence[str] = (),
    case_sensitive: bool = True,
    widen_empty: bool = False,
    show_values: bool = False,
    fail_on: FailOn = "error",
    workers: int | None = None,
    memory_limit: str | int | None = None,
    progress: bool | None = None,
    **options: Any,
) -> CheckReport:
    """Check a set against a contract: eval-set/v1, another published one, or a JSON Schema of your own.

    Args:
        source: A path, URI, bytes, file object, frame, Arrow table, `EvalSet`, or dicts or `EvalCase`
            objects in a list; with `together`, several.
        contract: The name of a published contract, the path of a JSON Schema file for one row, or the
            schema itself, a dict or a bool. What is said below about ids is eval-set/v1's.
        together: Whether `source` is several sources that make one set: their ids are held against
            each other.
        require: Source columns on which every row must carry a value; a missing one is a warning.
        case_sensitive: Whether ids that differ in case are different ids.
        widen_empty: Whether the completeness table, and it alone, counts NA, N/A, null, None and - as
            empty.
        show_values: Whether messages show the JSON text of the cell they are about, 80 characters of it.
        fail_on: The least severity that makes the report's `status` "fail".
        workers: Processes that decode large JSON Lines and CSV files; None: the cores this process may use.
        memory_limit: What the run may take of memory, bytes or text such as "500MB"; what has to be
            remembered of each row goes to temporary files beyond a share of it. None: a quarter of what
            the machine has.
        progress: Whether to show a progress bar; None: for long inputs, in terminals and notebooks.
        **options: How to read it: see `evalset_frames.sources.options.ReadOptions`.

    Returns:
        The report; its `findings`, `completeness` and `repeated_ids` are Polars frames.

    Raises:
        ContractError: There is no such contract, or it is no sound JSON Schema.
        SourceError: A source cannot be read.
        UsageError: An option that cannot be meant.

    Example:
        >>> report = check([{"id": "a", "input": "x"}, {"id": "a", "input": " "}])
        >>> report.findings.filter(severity="error").select("rule", "row").rows()
        [('id.duplicate', 1), ('input.required', 2)]
        >>> schema = {"properties": {"score": {"type": "integer", "maximum": 5}}}
        >>> report = check([{"score": 5.0}, {"score": 7}], contract=schema)
        >>> report.violations.select("row", "pointer", "keyword").rows()
        [(2, '/score', 'maximum')]
    """
    refuse_other_than_flags(
        together=together,
        case_sensitive=case_sensitive,
        widen_empty=widen_empty,
        show_values=show_values,
        progress=progress,
    )
    settings, required = read_options(options), column_names(require, "require")
    code = steps.again(source, settings, together=together)
    every = sources_of(source, together=together, contract=contract)
    if contract != CONTRACT:
        from evalset_frames.api.row_checking import check_rows  # noqa: PLC0415 (20 ms of other rooms)

        if not case_sensitive:
            raise UsageError(
                f"--case-insensitive-ids (case_sensitive=False) is for {CONTRACT}; under another contract ids"
                " are not held against each other: evalset duplicates --key COLUMN finds rows that share one"
            )
        found, stamps = check_rows(
            every,
            contract,
            settings,
            require=required,
            widen_empty=widen_empty,
            show_values=show_values,
            workers=workers,
            progress=progress,
        )
        return CheckReport(found, fail_on, stamps, again=code)
    with IdStore(budget(memory_limit)) as store:
        gathered = _Gathering(settings, required, widen_empty, n_workers(workers), progress, store)
        for one in every:
            gathered.take(one, again=show_values)
        result = finish(gathered.parts, case_sensitive=case_sensitive, hints=gathered.notes)
    if show_values:
        result = replace(result, unquoted=result.findings)
        for ready, plan in gathered.inputs:
            rows = ready.rows(plan, raw=True)
            told = with_values(result.findings, rows, plan, ready.found.name)
            result = replace(result, findings=told)
    origin = (every[0], options) if not together and isinstance(every[0], _READ_AGAIN) else None
    return CheckReport(result, fail_on, gathered.stamps, origin=origin, exports=_exports, again=code)


def _exports() -> Exports:
    from evalset_frames.exchange.profiles import classes  # noqa: PLC0415 (10 ms that only HTML needs)

    return classes()


_READ_AGAIN: Final = (str, os.PathLike, bytes, list, pl.DataFrame, pl.LazyFrame)
"""Sources that are there still once they have been read."""


def check_to_read(
    source: object, settings: ReadOptions, *, workers: int | None = None, progress: bool | None = None
) -> tuple[CheckReport, Input, Plan, Watch]:
    """Check a set that will be read once more, and is no canonical frame.

    Returns:
        The report, the source that can be read again, how it is read, and whether it is still the same.
    """
    ready = held_still(make_ready(source, settings, registry.load(CONTRACT)))
    watch = Watch(ready.found)
    with IdStore(budget(None)) as store:
        gathered = _Gathering(settings, (), False, n_workers(workers), progress, store)
        plan = gathered.read(ready)
        result = finish(gathered.parts, hints=gathered.notes)
    return CheckReport(result), ready, plan, watch


@dataclass
class _Gathering:
    """Takes the sources of one set, one after the other."""

    settings: ReadOptions
    require: tuple[str, ...]
    widen_empty: bool
    workers: int
    progress: bool | None
    store: IdStore
    parts: list[Collected] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    inputs: list[tuple[Input, Plan]] = field(default_factory=list)
    stamps: list[Stamp] = field(default_factory=list)

    def take(self, source: object, *, again: bool) -> None:
        """Read a source; `again`: it will be read once more."""
        frame, source = canonical_or_source(source, self.settings)
        if frame is not None:
            self._take_canonical(frame)
            return
        ready = make_ready(source, self.settings, registry.load(CONTRACT))
        ready = apart(ready, (part.source for part in self.parts))
        self.stamps.append(stamp(ready))
        self.read(again_and_again(ready) if again else ready)

    def read(self, ready: Input) -> Plan:
        """Read a source that is ready, and say how it was read."""
        with byte_bar(ready.found.name, size_hint(ready.found), progress=self.progress) as tick:
            reader = ready.reader(tick)
            plan = ready.plan(reader, registry.load(CONTRACT), self.require, widen_empty=self.widen_empty)
            part = self._part(ready.found.name, ready.found.format, plan, reader.header)
            collect(ready, reader, part, workers=self.workers, tick=tick)
        self.notes += ready.notes
        self.inputs.append((ready, plan))
        return plan

    def _take_canonical(self, frame: pl.DataFrame | pl.LazyFrame) -> None:
        plan = Plan(registry.load(CONTRACT), "json", require=self.require)
        parts = canonical_parts(collected(frame), kinds_alone=True)
        for name, rows in parts:
            self._part(name, "frame", plan, Header()).add(canonical_facts(rows, plan))
        if not parts:
            self._part(FRAME_SOURCE, "frame", plan, Header())

    def _part(self, name: str, format: str, plan: Plan, header: Header) -> Collected:  # noqa: A002
        part = Collected(name, format, plan, header, self.store, len(self.parts))
        self.parts.append(part)
        return part


def check_each(sources: Iterable[object], **options: Any) -> Iterator[CheckReport]:
    """Check several sets, each by itself, in the order given.

    Args:
        sources: What `check` takes, several times.
        **options: As for `check`.

    Returns:
        An iterator of reports, each made when it is asked for. A source that cannot be read raises there;
        the next call of ``next`` goes on with the source after it.

    Example:
        >>> [report.status for report in check_each([[{"id": "a", "input": 1}], []])]
        ['pass', 'fail']
    """
    return map(partial(check, **options), sources)

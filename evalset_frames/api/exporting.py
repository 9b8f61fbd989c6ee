"""What users call to write a set for another evaluation tool."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from evalset_frames.api.checking import check, check_to_read
from evalset_frames.api.reading import CONTRACT, canonical_or_source, frame_of, source_again
from evalset_frames.api.targets import folder_target, in_place
from evalset_frames.canonical.frame import canonical_schema
from evalset_frames.canonical.given_back import canonical_blocks
from evalset_frames.canonical.plan import Plan
from evalset_frames.canonical.settled import settled
from evalset_frames.contract import registry
from evalset_frames.engines.inputs import Input
from evalset_frames.engines.stamps import Watch
from evalset_frames.errors import UsageError
from evalset_frames.exchange.carry import Carry
from evalset_frames.exchange.export_note import leave_note
from evalset_frames.exchange.profile import Profile
from evalset_frames.exchange.profiles import profile_of
from evalset_frames.exchange.records import record_texts, write_records
from evalset_frames.flags import refuse_other_than_flags
from evalset_frames.names import STDIN
from evalset_frames.progress import byte_bar
from evalset_frames.report.carry_table import CarryTable
from evalset_frames.report.check_report import CheckReport
from evalset_frames.sources.block import Block
from evalset_frames.sources.discover import stem
from evalset_frames.sources.identity import file_behind
from evalset_frames.sources.opening import size_hint
from evalset_frames.sources.options import read_options
from evalset_frames.sources.queries import collected
from evalset_frames.text import as_code


@dataclass(frozen=True)
class Export:
    """What was written.

    Attributes:
        source: The source's name.
        to: The vendor.
        out: The folder.
        files: The files in it for the vendor, by name; the records come first.
        rows: Rows written.
        dataset: The name of the dataset that ids are made from; None: the vendor's are not made from one.
        carry: The carry table, as `carry_table` gives it.
        next_step: What to run or call next.
    """

    source: str
    to: str
    out: str
    files: tuple[str, ...]
    rows: int
    dataset: str | None
    carry: CarryTable
    next_step: str


@dataclass(frozen=True)
class ReadyExport:
    """A set that was checked and can be exported if its report has no errors.

    Attributes:
        profile: The profile to export with.
        report: The check.
        blocks: Gives the blocks anew, and how they are read.
        source_file: The file that is read, if one is.
        watch: Whether the source is still what was checked; None: it cannot be anything else.
    """

    profile: Profile
    report: CheckReport
    blocks: Callable[[], tuple[Iterable[Block], Plan]]
    source_file: os.stat_result | None
    watch: Watch | None = None

    def carry_table(self) -> CarryTable:
        """The carry table; nothing is written.

        Raises:
            FindingsError: The set has error findings.
            SourceError: The source was changed since it was checked.
        """
        carry = Carry(self.profile)
        for _ in self._texts(carry):
            pass
        return self._told(carry)

    def write(self, out: str | os.PathLike[str], *, force: bool) -> Export:
        """Write the vendor's files.

        Raises:
            FindingsError: The set has error findings.
            SourceError: The source was changed since it was checked.
            UsageError: `out` is there, or some rows cannot be exported in this style.
            EvalsetError: `out` cannot be written.
        """
        carry = Carry(self.profile)
        texts = self._texts(carry)
        target = folder_target(out, self.source_file, force=force)
        files = (self.profile.file, *self.profile.companions)
        with in_place(target, os.fspath(out)) as folder:
            n = write_records(folder, self.profile, texts)
            self._refuse(carry)
            leave_note(folder, files)
        at = os.fspath(out)
        return Export(
            source=self.report.source,
            to=self.profile.name,
            out=at,
            files=files,
            rows=n,
            dataset=self.profile.dataset,
            carry=self._told(carry),
            next_step=self.profile.next_step.format(
                dir=shlex.quote(at),
                file=as_code(f"{at}/{self.profile.file}"),
                dataset=as_code(self.profile.dataset or ""),
            ),
        )

    def _told(self, carry: Carry) -> CarryTable:
        return CarryTable(carry.table(), self.report.source, self.profile.title)

    def _texts(self, carry: Carry) -> Iterator[list[str]]:
        self.report.raise_if("error")
        blocks, plan = self.blocks()
        return self._watched(record_texts(blocks, plan, self.profile, carry))

    def _watched(self, texts: Iterator[list[str]]) -> Iterator[list[str]]:
        try:
            yield from texts
        except Exception:  # what nobody checked may fail anywhere
            self._refuse_change()
            raise
        self._refuse_change()

    def _refuse_change(self) -> None:
        if self.watch is not None:
            self.watch.refuse_change()

    def _refuse(self, carry: Carry) -> None:
        for field, trap, rows in carry.refused():
            raise UsageError(
                f"{self.report.source}: the {self.profile.style} style cannot say {field} of"
                f" row{'s' if len(rows) > 1 else ''} {', '.join(map(str, rows))} ({trap.what}: {trap.note});"
                f" {self.profile.title}'s other styles can"
            )


def refuse_target(out: object, source: object, *, force: bool) -> None:
    """Refuse a folder that will not be written, before a long check of the source.

    Raises:
        UsageError: It is there, or holds what is not an export's, or the source.
        EvalsetError: It cannot be written.
    """
    folder_target(out, file_behind(source), force=force)


def ready_export(
    source: object,
    to: str,
    *,
    style: str | None = None,
    dataset: str | None = None,
    workers: int | None = None,
    progress: bool | None = None,
    **options: Any,
) -> ReadyExport:
    """Check a set that is to be exported; the arguments are those of `export_to`."""
    refuse_other_than_flags(progress=progress)
    profile = profile_of(to, style, dataset)  # a wrong name is told before anything is read
    source = frame_of(source)
    source_file = file_behind(source)
    settings = read_options(options)
    given, source = canonical_or_source(source, settings)
    if given is not None:
        plan = Plan(registry.load(CONTRACT), "json")
        frame = settled(collected(given), canonical_schema())
        return ReadyExport(profile, check(frame), lambda: (canonical_blocks(frame, plan), plan), None)
    report, ready, plan, watch = check_to_read(source, settings, workers=workers, progress=progress)
    if profile.dataset is not None and dataset is None:
        profile = profile_of(to, style, _dataset(report.source) or profile.dataset)
    return ReadyExport(profile, report, lambda: (_blocks(ready, progress), plan), source_file, watch)


def _dataset(source: str) -> str | None:
    """The file's name without the suffixes that say how to read it; None: there is no file."""
    name = stem(PurePath(source).name)
    return name if name and name.isprintable() and "<" not in name and name != STDIN else None


def _blocks(ready: Input, progress: bool | None) -> Iterator[Block]:
    with byte_bar(ready.found.name, size_hint(ready.found), progress=progress) as tick:
        yield from ready.reader(tick)


def export_to(
    source: object,
    to: str,
    out: str | os.PathLike[str],
    *,
    force: bool = False,
    style: str | None = None,
    dataset: str | None = None,
    workers: int | None = None,
    progress: bool | None = None,
    **options: Any,
) -> Export:
    """Write a set as the files of another evaluation tool, so that they can be read back without loss.

    The set must have no error findings. What the tool has no home for rides in ``metadata.evalset``. The
    folder is written whole or not at all.

    Args:
        source: What `check` takes.
        to: ``"promptfoo"``, ``"deepeval"``, ``"langsmith"`` or ``"braintrust"``.
        out: The folder; it is made.
        force: Whether the folder may hold an export already. It is replaced if it is as it was written:
            a file that was added or changed is never lost. An empty folder is filled without it.
        style: promptfoo: ``"nested"``, which is safe for every row, or ``"plain"``, which puts the input
            where your prompts expect it and refuses rows that promptfoo would render or read. DeepEval:
            ``"json"`` or ``"jsonl"``. None: the first.
        dataset: LangSmith alone: the name of the dataset, which ids of examples are made from. None: the
            source's file name without the suffixes of format and compression, ``golden.train`` of
            ``golden.train.jsonl.gz``.
        workers: Processes that check a large file; None: the cores this process may use.
        progress: Whether to show a progress bar; None: for long inputs, in terminals and notebooks.
        **options: How to read it: see `evalset_frames.sources.options.ReadOptions`.

    Returns:
        What was written, and the carry table.

    Raises:
        FindingsError: The set has error findings; nothing was written.
        SourceError: The source cannot be read, or was changed meanwhile.
        UsageError: An option that cannot be meant, `out` is there, or rows that the plain style cannot say.
        EvalsetError: `out` cannot be written.

    Example:
        >>> import polars as pl
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     done = export_to(
        ...         [{"id": "a", "input": "1 + 1", "expected": 2}], "braintrust", f"{folder}/out"
        ...     )
        ...     Path(folder, "out", "records.jsonl").read_text()
        '{"expected":2,"id":"a","input":"1 + 1","metadata":{"evalset":{"keys":["id","input","expected"]}}}\\n'
        >>> done.rows, done.carry.filter(pl.col("count") > 0).select("field", "class").rows()
        (1, [('id', 'native'), ('input', 'native'), ('expected', 'native')])
    """
    refuse_other_than_flags(force=force, progress=progress)
    profile_of(to, style, dataset)
    refuse_target(out, source, force=force)
    ready = ready_export(
        source, to, style=style, dataset=dataset, workers=workers, progress=progress, **options
    )
    return ready.write(out, force=force)


def carry_table(source: object, to: str, *, style: str | None = None, **options: Any) -> CarryTable:
    """What an export would carry of each v1 field, and how; nothing is written.

    Args:
        source: What `check` takes, or the report of a check.
        to: As for `export_to`.
        style: As for `export_to`.
        **options: How to read it; a report knows how it was read.

    Returns:
        A Polars frame; naming it in a notebook shows it as a report. One line a field and way it takes
        (`what`: which of its values), then one for values that deserve a word:
        ``field, what, target, class, count, rows, lines, note``. `class` is native, carried (in the
        metadata), changed form (and turned back on import, ids aside) or lost (by the vendor; the file has
        it).
        `count` is the number of rows, between 0 and the rows of the set; `rows` names the first 20.

    Raises:
        FindingsError: The set has error findings.
        UsageError: An option that cannot be meant, or a report whose source cannot be read again.

    Example:
        >>> import polars as pl
        >>> table = carry_table([{"id": "a", "input": 2**53 + 1}], "promptfoo")
        >>> table.filter(pl.col("class") == "lost").select("field", "what", "rows").rows()
        [('input', 'integers beyond 2^53', [1])]
    """
    of, options = source_again(source, options, "carry_table")
    if isinstance(source, CheckReport):
        source.raise_if("error")
    return ready_export(of, to, style=style, **options).carry_table()

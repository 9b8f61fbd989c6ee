"""What users call to write a set in another format."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, Final

import polars as pl

from evalset_frames.api.reading import CONTRACT
from evalset_frames.api.targets import target_path
from evalset_frames.canonical.parquet_file import CanonicalFile, open_canonical
from evalset_frames.canonical.parquet_layout import SetFacts
from evalset_frames.canonical.reread import is_canonical
from evalset_frames.contract import registry
from evalset_frames.contract.model import Contract
from evalset_frames.engines.digest import digested
from evalset_frames.engines.inputs import Input, make_ready
from evalset_frames.engines.local import no_garbage_collection
from evalset_frames.engines.set_tables import as_set_frame
from evalset_frames.engines.stamps import Watch
from evalset_frames.errors import LossError, SourceError, UsageError
from evalset_frames.evalset.shapes import is_canonical_frame
from evalset_frames.exchange.canonical_parquet import write_canonical
from evalset_frames.exchange.csv_text import csv_losses, csv_text
from evalset_frames.exchange.jsonl import jsonl_losses, jsonl_text
from evalset_frames.exchange.losses import Loss
from evalset_frames.flags import refuse_other_than_flags
from evalset_frames.progress import byte_bar
from evalset_frames.report.files import TEMPORARY, put, refuse_read_only, taken, unwritable
from evalset_frames.sources.block import Block
from evalset_frames.sources.found import Found
from evalset_frames.sources.identity import file_behind
from evalset_frames.sources.objects import HoldsCases
from evalset_frames.sources.opening import open_stored, size_hint
from evalset_frames.sources.options import read_options
from evalset_frames.sources.readers import Reader

PARQUET: Final = ".parquet"


@dataclass(frozen=True)
class _Text:
    """A text format: what it cannot say of a set, and how it says the rest."""

    losses: Callable[[CanonicalFile], tuple[Loss, ...]]
    pieces: Callable[[CanonicalFile], Iterator[bytes]]


_JSONL: Final = _Text(jsonl_losses, jsonl_text)
_TEXTS: Final = {
    ".jsonl": _JSONL,
    ".ndjson": _JSONL,
    ".csv": _Text(csv_losses, csv_text),
    ".tsv": _Text(csv_losses, partial(csv_text, delimiter="\t")),
}


@dataclass(frozen=True)
class Conversion:
    """What was written.

    Attributes:
        source: The source's name.
        out: The file.
        rows: Rows written.
        malformed: Rows that could not be read; a Parquet file keeps them as facts.
        losses: What the file does not say of the set; empty unless `lossy` was asked for.
    """

    source: str
    out: str
    rows: int
    malformed: int
    losses: tuple[Loss, ...] = ()


def convert(
    source: object,
    out: str | os.PathLike[str],
    *,
    force: bool = False,
    lossy: bool = False,
    progress: bool | None = None,
    **options: Any,
) -> Conversion:
    r"""Write a set as canonical Parquet, JSON Lines or CSV.

    A canonical Parquet file stands for its original from then on: every function that takes a set takes
    it, much faster, and gives the same findings, rows and lines. Text formats get the source's columns
    under their own names. The file is written whole or not at all.

    Args:
        source: What `check` takes; a canonical Parquet file among them.
        out: The file; its suffix is ``.parquet``, ``.jsonl``, ``.ndjson``, ``.csv`` or ``.tsv``.
        force: Whether `out` may be there already. It is never the source.
        lossy: Whether to write what the format can say where it cannot say everything.
        progress: Whether to show a progress bar; None: for long inputs, in terminals and notebooks.
        **options: How to read it: see `evalset_frames.sources.options.ReadOptions`.

    Returns:
        How many rows were written, and what was lost.

    Raises:
        SourceError: The source cannot be read, or was changed meanwhile; or none of its rows could be read,
            and `out` is text.
        LossError: The format cannot say everything; nothing was written. `losses` lists what.
        UsageError: An option that cannot be meant, or `out` is there.
        EvalsetError: `out` cannot be written.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from evalset_frames.api.checking import check
        >>> with TemporaryDirectory() as folder:
        ...     out = Path(folder) / "set.parquet"
        ...     rows = convert(b'{"id": "a", "input": "x"}\nnot JSON\n', out).rows
        ...     rows, check(out).findings.row(0, named=True)["line"]
        (1, 2)
    """
    refuse_other_than_flags(force=force, lossy=lossy, progress=progress)
    if isinstance(source, HoldsCases):
        raise UsageError("a set of cases writes itself: write_parquet, write_jsonl, write_csv")
    contract = registry.load(CONTRACT)
    held, settings = as_set_frame(source, read_options(options), is_canonical_frame)
    if isinstance(held, pl.DataFrame | pl.LazyFrame) and is_canonical(held):
        raise UsageError("a canonical frame has lost its source; convert that, or write the frame itself")
    target = target_path(out, "file")
    text = _text_format(target)
    ready = make_ready(held, settings, contract)
    refuse_target(target, out, source, force=force)
    try:
        with TemporaryDirectory(prefix=TEMPORARY, dir=target.parent) as folder:
            done, written = _written(ready, contract, text, Path(folder), lossy=lossy, progress=progress)
            refuse_target(target, out, source, force=force)  # much may have come since
            put(written, target, force=force)
    except FileExistsError:
        raise taken(os.fspath(out)) from None
    except OSError as error:
        raise unwritable(os.fspath(out), error) from None
    return replace(done, out=os.fspath(out))


def _text_format(target: Path) -> _Text | None:
    """The text format that a suffix asks for; None: canonical Parquet."""
    suffix = target.suffix.lower()
    if suffix != PARQUET and suffix not in _TEXTS:
        known = ", ".join([PARQUET, *_TEXTS])
        raise UsageError(f"{target.name}: the suffix says none of the formats that are written: {known}")
    return _TEXTS.get(suffix)


def refuse_target(target: Path, out: object, source: object, *, force: bool) -> None:
    """Refuse a target that is the source, no file, or somebody's.

    Raises:
        UsageError: It is.
        EvalsetError: It cannot be written.
    """
    try:
        if not target.parent.is_dir():
            raise UsageError(f"{out}: there is no folder {target.parent}")
        there = target.stat()
        refuse_read_only(target)
    except FileNotFoundError:
        return
    except OSError as error:
        raise unwritable(str(out), error) from None
    if not stat.S_ISREG(there.st_mode):
        raise UsageError(f"{out} is no file; name one")
    read = file_behind(source)
    if read is not None and os.path.samestat(read, there):
        raise UsageError(f"{out} is the source itself; name another file")
    if not force:
        raise taken(str(out))


def _written(
    ready: Input, contract: Contract, text: _Text | None, folder: Path, *, lossy: bool, progress: bool | None
) -> tuple[Conversion, Path]:
    """The set in a file of the folder, to be moved into place."""
    path = folder / "set.parquet"
    file, watch = ready.canonical, Watch(ready.found)
    if file is None:
        file = _stage(ready, contract, path, watch, progress=progress)
    elif text is None:
        with open_stored(file.found) as stored, path.open("wb") as copy:
            shutil.copyfileobj(stored, copy)
    losses: tuple[Loss, ...] = ()
    if text is not None:
        losses = text.losses(file)
        if losses and not lossy:
            raise LossError(file.facts.source, tuple(map(str, losses)))
        _refuse_unreadable(file.facts)
        path = folder / "set.text"
        with path.open("wb") as out:
            _write(out, text.pieces(file))
    watch.refuse_change()
    facts = file.facts
    return Conversion(facts.source, "", facts.n_parsed, facts.n_rows - facts.n_parsed, losses), path


def _refuse_unreadable(facts: SetFacts) -> None:
    """Refuse text of a set none of whose rows could be read: it would hold nothing of it.

    Raises:
        SourceError: It is such a set.
    """
    if facts.n_rows and not facts.n_parsed:
        why = "none of its rows could be read; nothing was written"
        raise SourceError(facts.source, why, "evalset check says what is wrong with them")


def _write(out: IO[bytes], pieces: Iterator[bytes]) -> None:
    for piece in pieces:
        out.write(piece)


def _stage(
    ready: Input, contract: Contract, path: Path, watch: Watch, *, progress: bool | None
) -> CanonicalFile:
    """The source as canonical Parquet."""
    found, digest = digested(ready.found)
    ready = replace(ready, found=found)
    with byte_bar(found.name, size_hint(found), progress=progress) as tick, no_garbage_collection():
        reader = ready.reader(tick)
        plan = ready.plan(reader, contract, widen_empty=True)
        facts = SetFacts(
            source=found.name,
            format=found.format,
            sha256=watch.sha256,
            contract=(contract.name, contract.digest),
            family=plan.family,
            columns=dict(plan.columns),
            unknown_keys=plan.unknown_keys,
            header=reader.header,
            notes=ready.notes,
        )
        write_canonical(path, _digested(reader, facts, digest), plan, facts)
    if facts.seen:
        plan.refuse_unseen(facts.seen)
    return open_canonical(Found(found.name, "parquet", None, str(path)), contract)


def _digested(reader: Reader, facts: SetFacts, digest: Callable[[], str | None]) -> Iterator[Block]:
    """All blocks; at the end the digest is known."""
    yield from reader
    facts.sha256 = facts.sha256 or digest()

"""A set of cases as an immutable object."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Never, Self, overload

import polars as pl

from evalset_frames.errors import UsageError
from evalset_frames.evalset import changes, notebook, writing
from evalset_frames.evalset.case import EvalCase
from evalset_frames.evalset.cases import cases_of
from evalset_frames.evalset.conditions import Condition, kept
from evalset_frames.evalset.loading import AUTO, loaded, records_of, with_places
from evalset_frames.evalset.order import shuffled
from evalset_frames.evalset.origin import Origin
from evalset_frames.evalset.shapes import SHAPES, Shape
from evalset_frames.evalset.strata import part_of, split_parts, stratified
from evalset_frames.evalset.unique import Keep, without_copies
from evalset_frames.evalset.validation import OnInvalid
from evalset_frames.expressions.keys import Whitespace

__all__ = ["EvalCase", "EvalSet"]


class EvalSet(Sequence[EvalCase]):
    """An immutable set of cases over a Polars frame; make one with `from_records` or a sibling of it.

    Every method that selects, orders or changes cases gives a new set, in which each case keeps the
    source, row and line it was read from. Cases are valid under the set's contract, unless the set was
    made with ``on_invalid="keep"``.

    Two sets are equal when they have one contract and equal cases in one order; where the cases came
    from does not count.

    Example:
        >>> cases = EvalSet.from_records([{"input": "What is 2+2?", "expected": "4"}, {"input": "Hello"}])
        >>> cases
        EvalSet(2 cases, eval-case/v1, <frame>)
        >>> [case.input for case in cases.filter(pl.col("expected").is_not_null())]
        ['What is 2+2?']
    """

    __slots__ = ("_frame", "_origin", "_shape")
    _frame: pl.DataFrame
    _origin: Origin
    _shape: Shape

    def __init__(self, *_: object, **__: object) -> None:
        raise UsageError("make a set with EvalSet.from_records, from_jsonl, from_csv or another from_ method")

    @classmethod
    def _of(cls, frame: pl.DataFrame, shape: Shape, origin: Origin) -> Self:
        made = object.__new__(cls)
        for name, value in (("_frame", frame), ("_shape", shape), ("_origin", origin)):
            object.__setattr__(made, name, value)
        return made

    def _with(self, frame: pl.DataFrame) -> Self:
        return self._of(frame, self._shape, self._origin)

    # ------------------------------------------------------------------------------------------- made from

    @classmethod
    def from_records(
        cls, cases: Iterable[object], *, contract: str = AUTO, on_invalid: OnInvalid = "raise", **options: Any
    ) -> Self:
        """A set of dicts, or of `EvalCase` objects, which keep the place they came from.

        Args:
            cases: The cases; none at all make an empty set.
            contract: "eval-set/v1", "eval-case/v1", or "auto": the first where a case carries an id.
            on_invalid: "raise" refuses the set for an invalid case, "drop" leaves such cases out and
                `dropped` names them, "keep" takes in whatever could be read.
            **options: How to read them: see `evalset_frames.sources.options.ReadOptions`.

        Raises:
            FindingsError: A case is invalid; the message names the first, `findings` holds all.
            UsageError: An option that cannot be meant.

        Example:
            >>> EvalSet.from_records([{"input": "Hi"}, {"expected": "4"}])
            Traceback (most recent call last):
            evalset_frames.errors.FindingsError: <frame>: 1 error, ...; first: row 2: ...
        """
        records, known = records_of(cases)
        frame, shape, origin = loaded(records, contract, on_invalid, options)
        return cls._of(with_places(frame, known), shape, origin)

    @classmethod
    def load(
        cls, source: object, *, contract: str = AUTO, on_invalid: OnInvalid = "raise", **options: Any
    ) -> Self:
        """A set out of anything that `evalset_frames.read` reads; the suffix says the format.

        Args:
            source: A path, URI, bytes, file object, frame, Arrow table, or dicts.
            contract: As for `from_records`.
            on_invalid: As for `from_records`; a file without a row is an error too.
            **options: How to read it: see `evalset_frames.sources.options.ReadOptions`.

        Raises:
            SourceError: The source cannot be read.
            FindingsError: A case is invalid; the message names row, line and rule of the first.
            UsageError: An option that cannot be meant.

        Example:
            >>> EvalSet.load(b'{"id": "a", "input": "x"}')
            EvalSet(1 case, eval-set/v1, <bytes>)
        """
        return cls._of(*loaded(source, contract, on_invalid, options))

    @classmethod
    def from_jsonl(cls, source: object, **options: Any) -> Self:
        """`load` of JSON Lines, whatever the file's name."""
        return cls.load(source, format="jsonl", **options)

    @classmethod
    def from_json(cls, source: object, **options: Any) -> Self:
        """`load` of a JSON array; ``records="tests"`` names the array in an object."""
        return cls.load(source, format="json", **options)

    @classmethod
    def from_csv(cls, source: object, **options: Any) -> Self:
        """`load` of CSV, whatever the file's name; ``delimiter=`` names another one than is found."""
        return cls.load(source, format="csv", **options)

    @classmethod
    def from_parquet(cls, source: object, **options: Any) -> Self:
        """`load` of Parquet: of any table, of what `write_parquet` wrote, of what `convert` wrote."""
        return cls.load(source, format="parquet", **options)

    @classmethod
    def from_frame(cls, frame: object, **options: Any) -> Self:
        """`load` of a frame or Arrow table; the frame of a set, or of `read`, keeps its places.

        Example:
            >>> table = pl.DataFrame({"id": ["a", "b"], "input": ["x", "y"]})
            >>> EvalSet.from_frame(table)[1]
            EvalCase(id='b', input='y')
        """
        return cls.load(frame, **options)

    # ----------------------------------------------------------------------------------------- what it is

    @property
    def contract(self) -> str:
        """The name of the contract: "eval-set/v1" or "eval-case/v1"."""
        return self._shape.contract

    @property
    def frame(self) -> pl.DataFrame:
        """One line a case: source, row, line, the contract's fields, and the kind of each value.

        Strings stand as they are, lists of labels as lists, other values as canonical JSON text. The
        frame is yours; what is done to it changes no set.
        """
        return self._frame.clone()

    def lazy(self) -> pl.LazyFrame:
        """`frame` as a LazyFrame."""
        return self._frame.lazy()

    @property
    def cases(self) -> tuple[EvalCase, ...]:
        """All cases, made anew at each call."""
        return tuple(self)

    @property
    def sources(self) -> tuple[str, ...]:
        """Names of the sources its cases came from, in order of appearance."""
        return tuple(self._frame["source"].unique(maintain_order=True).to_list())

    @property
    def findings(self) -> pl.DataFrame:
        """What was found when the set was read, warnings among it; joins to `frame` on source and row."""
        return self._origin.findings.clone()

    @property
    def dropped(self) -> pl.DataFrame:
        """The rows that were read and are not in the set, with the first error of each.

        Columns ``source, row, line, id, rule, message``; empty unless `on_invalid` let rows be dropped.
        Sets made from this one tell the same.
        """
        return self._origin.dropped.clone()

    @property
    def notes(self) -> tuple[str, ...]:
        """Advice that reading brought up, one line each: columns that were ignored, for instance."""
        return self._origin.notes

    def __len__(self) -> int:
        return self._frame.height

    def __iter__(self) -> Iterator[EvalCase]:
        return cases_of(self._frame, self._shape)

    @overload
    def __getitem__(self, at: int) -> EvalCase: ...
    @overload
    def __getitem__(self, at: slice) -> Self: ...
    def __getitem__(self, at: int | slice) -> EvalCase | Self:
        if isinstance(at, slice):
            return self._with(self._frame[at])
        place = range(len(self))[at]
        return next(cases_of(self._frame.slice(place, 1), self._shape))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EvalSet):
            return NotImplemented
        return self._shape is other._shape and changes.content(self._frame, self._shape).equals(
            changes.content(other._frame, other._shape)
        )

    def __hash__(self) -> int:
        return hash((self.contract, len(self), self[0] if self else None))

    def __repr__(self) -> str:
        return notebook.short(self)

    def _repr_html_(self) -> str:
        return notebook.html(self)

    # -------------------------------------------------------------------------------------------- selecting

    def filter(self, *conditions: Condition, **equalities: Any) -> Self:
        """The cases that meet every condition.

        Args:
            *conditions: Polars expressions over the columns of `frame`, evaluated on all cases at once;
                or functions of a case, called case by case.
            **equalities: Field and value, equal in JSON type too; None: the field is missing or null. A
                text for slice or tags: that label is among them.

        Raises:
            UsageError: No such field, or an expression that cannot be evaluated.

        Example:
            >>> cases = EvalSet.from_records(
            ...     [{"input": "2+2", "metadata": {"category": "math"}}, {"input": "Hi", "expected": "Hello"}]
            ... )
            >>> len(cases.filter(lambda case: case.metadata.get("category") == "math"))
            1
            >>> cases.filter(expected="Hello")[0].input, cases.filter(pl.col("expected").is_null())[0].input
            ('Hi', '2+2')
        """
        return self._with(kept(self._frame, self._shape, conditions, equalities))

    def head(self, n: int = 5) -> Self:
        """The first `n` cases; none where `n` is 0 or less."""
        return self._with(self._frame.head(max(n, 0)))

    def shuffle(self, seed: int | None = None) -> Self:
        """All cases in random order.

        Args:
            seed: Any integer, 0 included: the same order everywhere, always (see `evalset.order`). None:
                another order each time.
        """
        return self._with(self._frame[shuffled(len(self), seed)])

    def sample(self, n: int, seed: int | None = None, stratify: str | pl.Expr | None = None) -> Self:
        """Some cases, drawn at random and without replacement, in random order.

        Without `stratify` they are the first `n` of ``shuffle(seed)``.

        Args:
            n: How many; beyond the size of the set: all of them. 0 or less: none.
            seed: As for `shuffle`.
            stratify: A field, or an expression: each of its values gets its share of the sample, rounded
                by largest remainders; a list of labels is one value as a whole.

        Raises:
            UsageError: The contract has no such field.

        Example:
            >>> cases = EvalSet.from_records([{"input": str(i)} for i in range(9)])
            >>> [case.input for case in cases.sample(3, seed=7)] == [
            ...     case.input for case in cases.shuffle(seed=7).head(3)
            ... ]
            True
        """
        n = min(max(n, 0), len(self))
        if stratify is None:
            return self._with(self._frame[shuffled(len(self), seed, n)])
        parts = part_of(self._frame, self._shape, stratify)
        return self._with(self._frame[stratified(parts, shuffled(len(self), seed), n)])

    def split_by(self, by: str | pl.Expr = "split") -> dict[Any, Self]:
        """A set for each value, in order of first appearance.

        Args:
            by: A field of text or of labels, or an expression. A case with several labels is in the set
                of each of them; cases without a value are under None.

        Raises:
            UsageError: The contract has no such field, or it holds other things than text.

        Example:
            >>> rows = [{"id": "a", "input": 1, "split": "train"}, {"id": "b", "input": 2, "split": "test"}]
            >>> {name: len(part) for name, part in EvalSet.from_records(rows).split_by("split").items()}
            {'train': 1, 'test': 1}
        """
        parts = split_parts(self._frame, self._shape, by)
        return {label: self._with(frame) for label, frame in parts.items()}

    def drop_duplicates(
        self, key: Iterable[str] | None = None, whitespace: Whitespace = "trim", keep: Keep = "first"
    ) -> Self:
        """The set with each case once: exact copies under a key, as `evalset_frames.duplicates` finds them.

        Args:
            key: Fields to compare. None: what is content: input, expected, split, slice and tags, or in
                eval-case/v1 input, expected and context.
            whitespace: "trim" ignores the ends of every text; "exact" touches nothing.
            keep: Which case of a group stays: "first" or "last".

        Raises:
            UsageError: No such field, or an option that cannot be meant.
        """
        return self._with(without_copies(self._frame, self._shape, key, whitespace, keep))

    # --------------------------------------------------------------------------------------------- changing

    def concat(self, *others: EvalSet) -> Self:
        """This set's cases and then those of others, which are under the same contract.

        Raises:
            UsageError: A set under another contract; `with_ids` takes a set to eval-set/v1.
            FindingsError: Two cases share an id.
        """
        for other in others:
            if other.contract != self.contract:
                raise UsageError(f"a set under {other.contract} cannot be added to one under {self.contract}")
        every: tuple[EvalSet, ...] = (self, *others)
        origins = [Origin(one.findings, one.dropped, one.notes) for one in every]
        return self._of(*changes.concat([one.frame for one in every], origins, self._shape))

    def map_metadata(self, change: Callable[[dict[str, Any]], Mapping[str, Any]]) -> Self:
        """Every case with other metadata.

        Args:
            change: Is given each case's metadata, a dict of its own (``{}`` where there is none), and
                returns the new metadata.

        Raises:
            UsageError: It returned something that is no mapping of text keys to JSON values.

        Example:
            >>> cases = EvalSet.from_records([{"input": "Hi"}])
            >>> cases.map_metadata(lambda metadata: {**metadata, "author": "qa"})[0].metadata
            {'author': 'qa'}
        """
        return self._with(changes.with_metadata(self._frame, self._shape, change))

    def with_ids(self) -> Self:
        """The set under eval-set/v1, with an id for every case that has none.

        An id is made of what the case says, its id aside: the first 16 hexadecimal digits of the SHA-256
        of its canonical JSON, and ``-2``, ``-3`` and so on for further copies of it. It is the same on
        every platform and in every order of the cases. Context goes into metadata, as it does when such
        a file is read under eval-set/v1.

        Raises:
            FindingsError: A case is invalid under eval-set/v1: its input is blank, for instance.
            UsageError: Metadata already has a key called context.

        Example:
            >>> EvalSet.from_records([{"input": "x"}]).with_ids()[0].id
            'b70f6e1edc14eecd'
        """
        return self._of(*changes.with_ids(self._frame, self._shape, self._origin))

    # ---------------------------------------------------------------------------------------------- writing

    def write_jsonl(self, path: str | Path, *, lossy: bool = False) -> None:
        """Write one JSON object a line; `from_jsonl` of the file is this set again.

        Args:
            path: The file; one that is there is replaced.
            lossy: Whether labels that were no list of texts, which only ``on_invalid="keep"`` lets in,
                become null.

        Raises:
            LossError: There are such labels, and `lossy` is not asked for.
            EvalsetError: The file cannot be written.
        """
        writing.write_jsonl(self._frame, self._shape, path, lossy=lossy)

    def write_csv(self, path: str | Path, *, lossy: bool = False) -> None:
        """Write a table of text; `from_csv` of the file is this set again.

        Args:
            path: The file; one that is there is replaced.
            lossy: Whether to write what CSV can say where it cannot say everything.

        Raises:
            LossError: CSV cannot say everything; `losses` lists what.
            EvalsetError: The file cannot be written.
        """
        writing.write_csv(self._frame, self._shape, path, lossy=lossy)

    def write_parquet(self, path: str | Path) -> None:
        """Write `frame`; `from_parquet` of the file is this set again, with the places of its cases.

        Args:
            path: The file; one that is there is replaced.

        Raises:
            EvalsetError: The file cannot be written.
        """
        writing.write_parquet(self._frame, path)

    # -------------------------------------------------------------------------------------------- immutable

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError(f"an EvalSet is immutable; {name!r} cannot be set")

    def __delattr__(self, name: str) -> Never:
        raise AttributeError(f"an EvalSet is immutable; {name!r} cannot be deleted")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self._frame, self.contract, self._origin)


def _restored(cls: type[EvalSet], frame: pl.DataFrame, contract: str, origin: Origin) -> EvalSet:
    return cls._of(frame, SHAPES[contract], origin)

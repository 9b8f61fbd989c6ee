"""What a set of cases is and what can be picked from it, whatever it was made from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Never, Self, overload

import polars as pl

from evalset_frames.errors import UsageError
from evalset_frames.evalset import changes, notebook
from evalset_frames.evalset.arguments import whole
from evalset_frames.evalset.case import EvalCase
from evalset_frames.evalset.cases import cases_of
from evalset_frames.evalset.conditions import Condition, kept
from evalset_frames.evalset.order import shuffled
from evalset_frames.evalset.origin import Origin
from evalset_frames.evalset.shapes import SHAPES, Shape
from evalset_frames.evalset.strata import part_of, split_parts, stratified
from evalset_frames.evalset.unique import Keep, without_copies
from evalset_frames.expressions.keys import Whitespace
from evalset_frames.report import markdown
from evalset_frames.views import markup


class Cases(Sequence[EvalCase]):
    """An immutable sequence of cases over a frame: the part of `EvalSet` that reads and writes nothing."""

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

    def __evalset_frame__(self) -> tuple[str, pl.DataFrame]:
        return self.contract, self.frame

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
            at.indices(len(self))  # raises for what is no slice; Polars would take texts for names of columns
            return self._with(self._frame[at])
        try:
            place = range(len(self))[at]
        except IndexError:
            raise IndexError(f"there is no case {at}: the set has {len(self):,}, counted from 0") from None
        except TypeError:
            kind = type(at).__name__
            raise TypeError(f"a case is picked by an integer, several by a slice, not by a {kind}") from None
        return next(cases_of(self._frame.slice(place, 1), self._shape))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cases):
            return NotImplemented
        return self._shape is other._shape and changes.content(self._frame, self._shape).equals(
            changes.content(other._frame, other._shape)
        )

    def __hash__(self) -> int:
        return hash((self.contract, len(self), self[0] if self else None))

    def __repr__(self) -> str:
        return notebook.short(self)

    def _repr_html_(self) -> str:
        return markup.fragment(notebook.screen(self))

    def _repr_markdown_(self) -> str:
        return markdown.of_screen(notebook.screen(self))

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
            >>> from evalset_frames import EvalSet
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
        """The first `n` cases; none where `n` is 0 or less.

        Raises:
            UsageError: `n` is no integer.
        """
        return self._with(self._frame.head(min(max(whole(n, "n"), 0), len(self))))

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
            UsageError: The contract has no such field, `n` or the seed is no integer, or an expression that
                cannot be evaluated.

        Example:
            >>> from evalset_frames import EvalSet
            >>> cases = EvalSet.from_records([{"input": str(i)} for i in range(9)])
            >>> [case.input for case in cases.sample(3, seed=7)] == [
            ...     case.input for case in cases.shuffle(seed=7).head(3)
            ... ]
            True
        """
        n = min(max(whole(n, "n"), 0), len(self))
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
            >>> from evalset_frames import EvalSet
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


def _restored(cls: type[Cases], frame: pl.DataFrame, contract: str, origin: Origin) -> Cases:
    return cls._of(frame, SHAPES[contract], origin)

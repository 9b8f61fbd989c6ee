"""A set of cases as an immutable object."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, Self, overload

from evalset_frames.errors import UsageError
from evalset_frames.evalset import changes, testing_datasets, writing
from evalset_frames.evalset.case import EvalCase
from evalset_frames.evalset.collection import Cases
from evalset_frames.evalset.loading import AUTO, loaded, records_of, with_places
from evalset_frames.evalset.origin import Origin
from evalset_frames.evalset.shapes import EVAL_CASE
from evalset_frames.evalset.validation import OnInvalid
from evalset_frames.flags import refuse_other_than_flags

__all__ = ["EvalCase", "EvalSet"]


class EvalSet(Cases):
    """An immutable set of cases over a Polars frame; make one with `from_records` or a sibling of it.

    Every method that selects, orders or changes cases gives a new set, in which each case keeps the
    source, row and line it was read from. Cases are valid under the set's contract, unless the set was
    made with ``on_invalid="keep"``.

    Two sets are equal when they have one contract and equal cases in one order; where the cases came
    from does not count.

    Example:
        >>> import polars as pl
        >>> cases = EvalSet.from_records([{"input": "What is 2+2?", "expected": "4"}, {"input": "Hello"}])
        >>> cases
        EvalSet(2 cases, eval-case/v1, <frame>)
        >>> [case.input for case in cases.filter(pl.col("expected").is_not_null())]
        ['What is 2+2?']
    """

    __slots__ = ()

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
            source: A path, URI, bytes, file object, frame, Arrow table, `EvalSet`, or dicts.
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
            >>> import polars as pl
            >>> table = pl.DataFrame({"id": ["a", "b"], "input": ["x", "y"]})
            >>> EvalSet.from_frame(table)[1]
            EvalCase(id='b', input='y')
        """
        return cls.load(frame, **options)

    @classmethod
    def from_testing_dataset(cls, source: object, *, about: bool = False) -> Self:
        """The set of a testing-dataset/v1 request's messages, under eval-case/v1.

        A message's text is the input, its history the key ``conversation_history`` of context: what
        `to_testing_dataset` makes of a set without other things is this set again.

        Args:
            source: The request as a dict, or the path, URI, bytes or file object that holds it.
            about: Whether name, description and criteria of the request are keys of every case's metadata,
                so that cases of several requests can be told apart.

        Raises:
            SourceError: The source cannot be read.
            FindingsError: It is no such request; `findings` names everything that is wrong.

        Example:
            >>> request = {"name": "Support sample", "messages": [{"user_message": "When do you open?"}]}
            >>> EvalSet.from_testing_dataset(request)[0]
            EvalCase(input='When do you open?')
            >>> EvalSet.from_testing_dataset(request, about=True)[0].metadata
            {'name': 'Support sample'}
        """
        refuse_other_than_flags(about=about)
        return cls.from_records(testing_datasets.cases_of_request(source, about=about), contract=EVAL_CASE)

    # --------------------------------------------------------------------------------------------- changing

    def concat(self, *others: EvalSet) -> Self:
        """This set's cases and then those of others, which are under the same contract.

        Where two sets have a row 1 of one source without a name, such as ``<frame>``, the source of the
        second is ``<frame>#2``.

        Raises:
            UsageError: A set under another contract; `with_ids` takes a set to eval-set/v1.
            FindingsError: Two cases share an id.
        """
        for other in others:
            if not isinstance(other, EvalSet):
                raise UsageError(f"concat takes sets, one after the other, not a {type(other).__name__}")
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
        of its canonical JSON, which docs/datasets.md spells out, and ``-2``, ``-3`` and so on for further
        copies of it. It is the same on every platform and in every order of the cases. Context goes into
        metadata, as it does when such a file is read under eval-set/v1.

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
            path: The file; one that is there is replaced. ``.gz``, ``.zst`` or ``.bz2`` at its end packs it.
            lossy: Whether labels that were no list of texts, which only ``on_invalid="keep"`` lets in,
                become null.

        Raises:
            LossError: There are such labels, and `lossy` is not asked for.
            UsageError: The suffix is another format's.
            EvalsetError: The file cannot be written.
        """
        refuse_other_than_flags(lossy=lossy)
        writing.write_jsonl(self._frame, self._shape, path, lossy=lossy)

    def write_csv(self, path: str | Path, *, lossy: bool = False) -> None:
        """Write a table of text; `from_csv` of the file is this set again.

        Args:
            path: The file; one that is there is replaced. ``.tsv`` puts tabs between cells; ``.gz``, ``.zst``
                or ``.bz2`` after it packs it.
            lossy: Whether to write what CSV can say where it cannot say everything.

        Raises:
            LossError: CSV cannot say everything; `losses` lists what.
            UsageError: The suffix is another format's.
            EvalsetError: The file cannot be written.
        """
        refuse_other_than_flags(lossy=lossy)
        writing.write_csv(self._frame, self._shape, path, lossy=lossy)

    def write_parquet(self, path: str | Path) -> None:
        """Write `frame`; `from_parquet` of the file is this set again, with the places of its cases.

        Args:
            path: The file; one that is there is replaced.

        Raises:
            UsageError: The suffix is another format's.
            EvalsetError: The file cannot be written.
        """
        writing.write_parquet(self._frame, path)

    @overload
    def to_testing_dataset(
        self,
        name: str,
        *,
        description: str | None = None,
        evaluation_criteria: str | None = None,
        split: Literal[False] = False,
    ) -> dict[str, Any]: ...
    @overload
    def to_testing_dataset(
        self,
        name: str,
        *,
        description: str | None = None,
        evaluation_criteria: str | None = None,
        split: Literal[True],
    ) -> list[dict[str, Any]]: ...
    def to_testing_dataset(
        self,
        name: str,
        *,
        description: str | None = None,
        evaluation_criteria: str | None = None,
        split: bool = False,
    ) -> dict[str, Any] | list[dict[str, Any]]:
        """The set as a request of testing-dataset/v1: each input is a message.

        The key ``conversation_history`` of context (under eval-set/v1: of metadata) goes along. Such a
        request has no place for expected answers, ids and metadata.

        Args:
            name: The name of the dataset, 1 to 200 characters.
            description: At most 500 characters.
            evaluation_criteria: At most 1,000 characters.
            split: Whether a set of more than 10 cases becomes several requests, numbered in their names.

        Returns:
            The request, ready for ``json.dumps``; with `split` a list of them.

        Raises:
            FindingsError: Cases that do not fit: an input that is no text or is longer than 500
                characters, for instance. `findings` names each with row, line and id.
            UsageError: More cases than a request takes, or none; a name or a text that is too long.

        Example:
            >>> EvalSet.from_records([{"input": "When do you open?"}]).to_testing_dataset("Support sample")
            {'name': 'Support sample', 'messages': [{'user_message': 'When do you open?'}]}
        """
        refuse_other_than_flags(split=split)
        about = {"description": description, "evaluation_criteria": evaluation_criteria}
        requests = testing_datasets.requests_of(self._frame, self._shape, name, about, split=split)
        return requests if split else requests[0]

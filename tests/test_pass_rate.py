"""A pass rate over all rows and over unique rows: arithmetic, matching, and what is refused."""

from __future__ import annotations

from decimal import Decimal, localcontext
from statistics import NormalDist

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalset_frames as ef
from evalset_frames.api.duplicating import duplicates
from evalset_frames.examine.score import wilson_interval

# Rows 1, 3, 4 are one case, and so are 2 and 6.
INPUTS = ["x", "y", "x", " x ", "z", "y", "w"]
SET = [{"id": name, "input": text} for name, text in zip("abcdefg", INPUTS, strict=True)]
KEY = ("input", "expected", "split", "slice", "tags")


def by_row(*outcomes):
    return pl.DataFrame({"row": range(1, len(outcomes) + 1), "passed": pl.Series(outcomes)})


def roots(passed: int, n: int, z: float) -> tuple[float, float]:
    """The interval by its definition: where (p - s/n)² - z² p (1 - p) / n changes sign, by bisection."""
    with localcontext(prec=50):
        rate, z2 = Decimal(passed) / n, Decimal(z) ** 2

        def outside(p: Decimal) -> bool:
            return (p - rate) ** 2 > z2 * p * (1 - p) / n

        ends = []
        for far in (Decimal(0), Decimal(1)):
            out, within = far, rate
            for _ in range(120):
                middle = (out + within) / 2
                out, within = (middle, within) if outside(middle) else (out, middle)
            ends.append(float(within))
    return ends[0], ends[1]


# ------------------------------------------------------------------------------------------ arithmetic


@pytest.mark.parametrize(
    ("passed", "n", "low", "high"),
    [
        (8, 10, "0.490", "0.943"),
        (0, 10, "0.000", "0.278"),
        (10, 10, "0.722", "1.000"),
        # Newcombe, Statistics in Medicine 17 (1998), table I, method 3
        (81, 263, "0.2553", "0.3662"),
        (15, 148, "0.0624", "0.1605"),
        (0, 20, "0.0000", "0.1611"),
        (1, 29, "0.0061", "0.1718"),
    ],
)
def test_published_intervals(passed, n, low, high):
    digits = len(low) - 2
    assert [f"{end:.{digits}f}" for end in wilson_interval(passed, n)] == [low, high]


COUNTS = st.integers(1, 10**7).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(COUNTS, st.sampled_from([0.5, 0.6827, 0.9, 0.95, 0.999999]))
def test_the_interval_is_where_its_defining_equation_holds(counts, confidence):
    passed, n = counts
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    low, high = wilson_interval(passed, n, confidence)
    assert (low, high) == pytest.approx(roots(passed, n, z), rel=1e-9, abs=1e-30)
    assert 0 <= low <= passed / n <= high <= 1
    assert (low == 0) == (passed == 0)
    assert high == 1 or passed < n


@given(COUNTS)
def test_the_interval_of_fails_mirrors_that_of_passes(counts):
    passed, n = counts
    low, high = wilson_interval(passed, n)
    assert wilson_interval(n - passed, n) == pytest.approx((1 - high, 1 - low), rel=1e-6, abs=1e-14)


@pytest.mark.parametrize("confidence", [0.4, 1, 95, -0.95, float("nan"), "0.95", None])
def test_a_confidence_that_cannot_be_meant_is_refused(confidence):
    with pytest.raises(ef.UsageError, match=r"confidence=0\.95"):
        ef.pass_rate(by_row(True), duplicates(SET), confidence=confidence)


@pytest.mark.parametrize(("passed", "n"), [(0, 0), (2, 1), (-1, 3)])
def test_an_interval_wants_counts_that_can_be(passed, n):
    with pytest.raises(ef.UsageError):
        wilson_interval(passed, n)


def test_more_confidence_is_a_wider_interval():
    found = duplicates(SET)
    few, many = (ef.pass_rate(by_row(True, False), found, confidence=c) for c in (0.8, 0.99))
    assert many.low < few.low < few.rate < few.high < many.high


# ------------------------------------------------------------------------------------- rows and cases


def test_rates_over_rows_and_over_cases():
    score = ef.pass_rate(by_row(True, False, True, True, False, False, True), duplicates(SET))
    assert (score.n, score.passed, score.unique.n, score.unique.passed) == (7, 4, 4, 2)
    assert (score.rate, score.unique.rate) == (4 / 7, 0.5)
    assert (score.low, score.high) == wilson_interval(4, 7)
    assert (score.unique.low, score.unique.high) == wilson_interval(2, 4)
    assert score.width_ratio == score.unique.width / score.rows.width > 1
    assert (score.results_unmatched, score.set_unmatched, score.unscored) == (0, 0, 0)
    assert score.groups_disagreeing == 0
    assert (score.by, score.key, score.whitespace) == (("row",), KEY, "trim")


@pytest.mark.parametrize(("keep", "passed"), [("first", 1), ("last", 0)])
def test_a_case_counts_through_the_row_that_is_kept(keep, passed):
    score = ef.pass_rate(by_row(True, None, True, False), duplicates(SET, keep=keep))
    assert (score.unique.n, score.unique.passed, score.groups_disagreeing) == (1, passed, 1)


@pytest.mark.parametrize("keep", ["first", "last"])
def test_a_case_whose_kept_row_has_no_score_counts_through_its_first_scored_row(keep):
    scores = {"first": [None, None, False, True], "last": [True, None, False, None]}[keep]
    score = ef.pass_rate(by_row(*scores).reverse(), duplicates(SET, keep=keep))
    assert (score.n, score.unique.n, score.unique.passed) == (2, 1, keep == "last")


def test_what_is_not_used_is_counted():
    results = pl.DataFrame(
        {"row": [1, 2, 2, 99, None, 98, 7], "passed": [True, None, False, True, True, None, None]}
    )
    score = ef.pass_rate(results, duplicates(SET))
    assert (score.n, score.passed) == (2, 1)
    assert score.results_unmatched == 3  # 99, null, 98
    assert score.unscored == 2  # the first of row 2, and row 7
    assert score.set_unmatched == 4  # 3, 4, 5, 6


SCORED = st.lists(st.tuples(st.integers(0, 5), st.sampled_from([True, False, None])), min_size=1, max_size=12)


@given(
    SCORED.filter(lambda rows: any(outcome is not None for _, outcome in rows)),
    st.sampled_from(["first", "last"]),
)
def test_figures_are_those_of_a_plain_count(rows, keep):
    found = duplicates([{"id": str(at), "input": case} for at, (case, _) in enumerate(rows)], keep=keep)
    score = ef.pass_rate([{"row": at, "passed": passed} for at, (_, passed) in enumerate(rows, 1)], found)
    cases: dict[int, list[bool | None]] = {}
    for case, outcome in rows:
        cases.setdefault(case, []).append(outcome)
    kept = [
        next(
            outcome for outcome in [outcomes[0 if keep == "first" else -1], *outcomes] if outcome is not None
        )
        for outcomes in cases.values()
        if any(outcome is not None for outcome in outcomes)
    ]
    scored = [outcome for _, outcome in rows if outcome is not None]
    assert (score.n, score.passed) == (len(scored), sum(scored))
    assert (score.unique.n, score.unique.passed) == (len(kept), sum(kept))
    assert score.groups_disagreeing == sum({True, False} <= set(outcomes) for outcomes in cases.values())
    assert score.n + score.unscored == len(rows)
    assert score.low <= score.rate <= score.high
    if len(cases) == len(rows):
        assert score.width_ratio == 1
        assert score.unique == score.rows


@given(st.lists(st.booleans(), min_size=1, max_size=6), st.integers(2, 4))
def test_repeating_every_row_narrows_one_interval_and_leaves_the_other(outcomes, times):
    def scored(k):
        found = duplicates([{"id": f"{at}", "input": at % len(outcomes)} for at in range(k * len(outcomes))])
        return ef.pass_rate(by_row(*outcomes * k), found)

    once, often, oftener = scored(1), scored(times), scored(times + 1)
    assert once.unique == often.unique == oftener.unique == once.rows
    assert often.rate == oftener.rate == once.rate
    assert 1 == once.width_ratio < often.width_ratio < oftener.width_ratio


# -------------------------------------------------------------------------------------------- matching


RESULTS = {"id": ["a", " b\u00a0", "c", "nobody"], "passed": [True, False, None, True]}
DICTS = [dict(zip(RESULTS, line, strict=True)) for line in zip(*RESULTS.values(), strict=True)]


class Stream:
    """Anything that hands out an Arrow stream, as pandas and DuckDB do."""

    def __arrow_c_stream__(self, requested_schema=None):
        return pa.table(RESULTS).__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize(
    "results",
    [
        pl.DataFrame(RESULTS),
        pl.LazyFrame(RESULTS),
        pl.DataFrame(RESULTS).cast({"id": pl.Categorical, "passed": pl.Int8}),
        pa.table(RESULTS),
        pa.record_batch(RESULTS),
        Stream(),
        DICTS,
        [{"note": [1], **line} if at else line for at, line in enumerate(DICTS)],
    ],
    ids=["frame", "lazy", "narrow", "arrow", "batch", "stream", "dicts", "ragged dicts"],
)
def test_results_come_in_many_forms(results):
    score = ef.pass_rate(results, duplicates(SET))
    assert (score.n, score.passed, score.by) == (2, 1, ("id",))
    assert (score.results_unmatched, score.unscored, score.set_unmatched) == (1, 1, 4)


def test_numpy_scalars_in_dicts():
    results = [{"row": np.int64(row), "passed": np.bool_(row == 1)} for row in (1, 2)]
    score = ef.pass_rate(results, duplicates(SET))
    assert (score.n, score.passed) == (2, 1)


BIG = 9007199254740993


@pytest.mark.parametrize(
    ("ids", "n"),
    [
        ([1, 2, BIG], 3),
        (["1", "2 ", str(BIG)], 3),
        ([1.0, 2.0, float("nan")], 2),
        ([1, "2", BIG], 3),
        ([1.0, None, float("inf")], 1),
        ([1, "2", float("nan")], 2),
    ],
)
def test_ids_that_are_numbers_match_as_text(ids, n):
    found = duplicates([{"id": name, "input": name} for name in (1, "2", BIG)])
    score = ef.pass_rate([{"id": name, "passed": True} for name in ids], found)
    assert (score.n, score.results_unmatched) == (n, 3 - n)


def test_row_numbers_may_be_doubles_with_gaps():
    results = pl.DataFrame({"row": [1.0, 2.5, float("nan"), None, float("inf")], "passed": [1, 1, 1, 1, 1]})
    score = ef.pass_rate(results, duplicates(SET))
    assert (score.n, score.results_unmatched) == (1, 4)


def test_columns_may_have_names_of_their_own():
    results = pl.DataFrame({"n": [1], "name": ["a"], "ok": [1], "row": ["?"], "id": [[1]]})
    score = ef.pass_rate(results, duplicates(SET), passed="ok", row="n", id="name")
    assert (score.n, score.by) == (1, ("row",))
    assert ef.pass_rate(results, duplicates(SET), passed="ok", row=None, id="name").by == ("id",)


def test_results_are_matched_by_source_and_row(tmp_path):
    for name in ("one.jsonl", "two.jsonl"):
        (tmp_path / name).write_text(f'{{"id": "a", "input": "x"}}\n{{"id": "b", "input": "{name}"}}\n')
    paths = [str(tmp_path / name) for name in ("one.jsonl", "two.jsonl")]
    found = duplicates(paths, together=True)
    results = pl.DataFrame({"source": [*paths, paths[1]], "row": [1, 1, 2], "passed": [True, False, True]})
    score = ef.pass_rate(results, found)
    assert (score.n, score.unique.n, score.groups_disagreeing, score.set_unmatched) == (3, 2, 1, 1)
    assert score.by == ("source", "row")
    with pytest.raises(ef.UsageError, match="several sources"):
        ef.pass_rate(results.drop("source"), found)
    with pytest.raises(ef.UsageError, match="'source' is Int32"):
        ef.pass_rate(results.with_columns(source=1), found)
    of_one = ef.pass_rate(results, duplicates(paths[0]))
    assert (of_one.n, of_one.results_unmatched) == (1, 2), "results of another file are not this file's"


def test_an_id_on_rows_that_are_duplicates_counts_for_each():
    found = duplicates([{"id": "a", "input": "x"}, {"id": "b", "input": "y"}, {"id": "a", "input": "x"}])
    score = ef.pass_rate([{"id": "a", "passed": True}, {"id": "b", "passed": False}], found)
    assert (score.n, score.passed, score.unique.n, score.unique.passed) == (3, 2, 2, 1)
    assert (score.results_unmatched, score.unscored, score.set_unmatched) == (0, 0, 0)


def test_an_id_on_rows_that_differ_is_refused_when_a_result_has_it():
    found = duplicates([{"id": "a", "input": "x"}, {"id": "a", "input": "y"}, {"id": "b", "input": "z"}])
    assert ef.pass_rate([{"id": "b", "passed": True}], found).n == 1
    with pytest.raises(ef.UsageError, match="different content: 1; match by row"):
        ef.pass_rate([{"id": "a", "passed": True}], found)
    assert ef.pass_rate([{"id": "a", "row": 2, "passed": True}], found).n == 1


# --------------------------------------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("results", "told"),
    [
        (by_row("yes", "no"), "'passed' is String"),
        (by_row(1.0, 0.0), "'passed' is Float64"),
        (by_row(2, 0), "besides 0 and 1"),
        (by_row(-1, 0), "besides 0 and 1"),
        (by_row(None, None), "'passed' is null in all"),
        (by_row(), "no result matches a row of the set by row"),
        (pl.DataFrame({"row": [1]}), "no column 'passed'"),
        (pl.DataFrame({"passed": [True]}), "neither 'row' nor 'id'"),
        (pl.DataFrame({"row": ["1"], "passed": [True]}), "'row' is String"),
        (pl.DataFrame({"row": [0, 1], "passed": [True, True]}), "rows count from 1"),
        (pl.DataFrame({"row": [1, 2], "id": ["b", "c"], "passed": [True, True]}), "contradict each other: 2"),
        (pl.DataFrame({"row": [8], "passed": [True]}), "no result matches a row of the set by row"),
        (pl.DataFrame({"id": ["A", None, ""], "passed": [True] * 3}), "of the set by id"),
        (pl.DataFrame({"id": [["a"]], "passed": [True]}), "'id' is List"),
        (pl.DataFrame({"row": [1, 1, 2], "passed": [True, True, False]}), "one result: 1; aggregate"),
        (pl.DataFrame({"id": ["a", "a"], "passed": [True, True]}), "one result: 1; .* match by row"),
        ({"row": [1], "passed": [True]}, "a dict that cannot be read"),
        ("results.csv", "a str that cannot be read"),
        ([1, 2], "a list that cannot be read"),
        (pl.LazyFrame({"row": ["q"], "passed": [True]}).cast({"row": pl.Int8}), "a LazyFrame that cannot be"),
        (pa.Table.from_arrays([[1], [1], [1]], names=["row", "row", "passed"]), "a Table that cannot"),
        ([], "no column 'passed'"),
    ],
)
def test_what_cannot_be_meant_is_one_line(results, told):
    with pytest.raises(ef.UsageError, match=told) as caught:
        ef.pass_rate(results, duplicates(SET))
    assert "\n" not in str(caught.value)


def test_duplicates_have_to_be_a_report():
    with pytest.raises(ef.UsageError, match=r"ef\.duplicates"):
        ef.pass_rate(by_row(True), SET)


def test_sources_that_share_a_name_cannot_be_told_apart(tmp_path):
    pl.DataFrame(SET).write_ndjson(tmp_path / "set.jsonl")
    found = duplicates([tmp_path / "set.jsonl"] * 2, together=True)
    with pytest.raises(ef.UsageError, match="share a name"):
        ef.pass_rate([{"id": "a", "passed": True}], found)


def test_a_set_without_rows_matches_nothing():
    with pytest.raises(ef.UsageError, match="no result matches"):
        ef.pass_rate(by_row(True), duplicates([], key=["input"]))


# ----------------------------------------------------------------------------------------------- shown


def test_the_text_says_figures_method_key_and_counts():
    score = ef.pass_rate(by_row(True, False, True, True, False, False, True, True), duplicates(SET))
    assert repr(score).splitlines() == [
        "57.1% over all rows; 50.0% over unique rows: over unique rows the interval is 1.18 times as wide",
        "",
        "Pass rate",
        "  over         n  passed   rate    low   high",
        "  all rows     7       4  57.1%  25.0%  84.2%",
        "  unique rows  4       2  50.0%  15.0%  85.0%",
        "",
        "  Wilson interval, confidence 0.95",
        "  unique by input, expected, split, slice, tags (whitespace trim); results matched by row",
        "  results without a row: 1; unscored: 0; rows without a result: 0; groups that disagree: 0",
    ]


def test_the_html_is_a_table_in_which_names_are_escaped():
    found = duplicates([{"<b>\u202e": 1}], key=["<b>\u202e"])
    html = ef.pass_rate(by_row(True), found)._repr_html_()
    assert ef.pass_rate(by_row(True), found)._repr_markdown_().startswith("### Pass rate: ")
    assert html.count("<tr>") == 3
    assert "<b>" not in html
    assert "\u202e" not in html
    assert "&lt;b&gt;" in html


def test_the_dictionary_has_every_figure():
    score = ef.pass_rate(by_row(True, None), duplicates(SET))
    told = score.to_dict()
    assert told.pop("rows") == {"n": 1, "passed": 1, "rate": 1.0, "low": score.low, "high": 1.0}
    assert told.pop("unique") == score.unique.to_dict()
    assert told == {
        "method": "wilson",
        "confidence": 0.95,
        "by": ["row"],
        "key": list(KEY),
        "whitespace": "trim",
        "width_ratio": 1.0,
        "results_unmatched": 0,
        "set_unmatched": 5,
        "unscored": 1,
        "groups_disagreeing": 0,
    }

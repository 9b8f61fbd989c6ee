"""Rows by slice and split, and the least difference they show: against slow references, published figures."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import generators
import polars as pl
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from reference.balance import balance, is_shown

import evalset_frames as ef
from evalset_frames.examine import balance as balance_module
from evalset_frames.examine.detectable import detectable, rows_needed

SET = [
    {"id": "1", "input": "a", "slice": ["billing", "legal"], "split": "test"},
    {"id": "2", "input": "b", "slice": ["billing", " billing ", ""], "split": "test"},
    {"id": "3", "input": "c", "slice": ["billing"], "split": " train"},
    {"id": "4", "input": "d", "split": "train"},
    {"id": "5", "input": "e", "slice": []},
    {"id": "6", "input": "f", "slice": "billing", "split": ["test"]},
]


# ---------------------------------------------------------------------------------------------- counts


def test_a_row_counts_once_under_each_of_its_slices_and_rows_without_have_a_line():
    found = ef.slice_balance(SET)
    assert found.n_rows == 6
    assert found.slices.select("slice", "rows", "share").rows() == [
        ("billing", 3, 0.5), ("legal", 1, 1 / 6), (None, 3, 0.5),
    ]  # fmt: skip
    assert found.splits.select("split", "rows").rows() == [("test", 2), ("train", 2), (None, 2)]
    assert found.counts.filter(slice="billing").select(pl.exclude("^detectable.*$")).rows() == [
        ("billing", "test", 2, 2 / 3, 1.0),
        ("billing", "train", 1, 1 / 3, 0.5),
        ("billing", None, 0, 0.0, 0.0),
    ]
    assert (found.largest, found.smallest) == ("billing", "legal")
    assert (found.result.n_several, found.result.n_wrong) == (1, 1)


BOTH = st.permutations(["slice", "tags", "split", "source"]).map(lambda names: names[:2])


def held_against(found: ef.SliceBalance, wanted: dict[str, Any]) -> None:
    for name, column in (("slices", found.by), ("splits", found.across)):
        assert getattr(found, name).select(column, "rows").rows() == wanted[name]
    shares = [(*cell[:3], *map(float, cell[3:])) for cell in wanted["counts"]]
    assert found.counts.select(pl.exclude("^detectable.*$")).rows() == shares
    assert (found.result.n_several, found.result.n_wrong) == (wanted["several"], wanted["wrong"])


@given(generators.records(), BOTH)
def test_counts_are_those_of_the_slow_reference(rows: list[Any], names: list[str]):
    held_against(ef.slice_balance(rows, *names), balance(reference.canonical_records(rows), *names))


@given(generators.text_records(), BOTH, st.sampled_from(["csv", "jsonl"]))
def test_every_format_and_the_canonical_frame_count_alike(rows: list[Any], names: list[str], fmt: str):
    content = generators.to_csv(rows) if fmt == "csv" else generators.to_jsonl(rows)
    wanted = balance(reference.canonical(content, fmt, source="<bytes>"), *names)
    held_against(ef.slice_balance(content, *names, format=fmt), wanted)
    held_against(ef.slice_balance(ef.read(content, format=fmt).lazy(), *names), wanted)


@given(generators.records(4), generators.records(4))
def test_several_sources_are_one_set(left: list[Any], right: list[Any]):
    rows = [row for part in (left, right) for row in reference.canonical_records(part)]
    held_against(ef.slice_balance([left, right], together=True), balance(rows, "slice", "split"))


def test_another_column_is_read_as_slices(tmp_path):
    path = tmp_path / "set.csv"
    path.write_text("id,input,topic\n1,a,x|y\n2,b,x\n")
    found = ef.slice_balance(path, columns={"slice": "topic"}, across="source")
    assert found.counts.select("slice", "source", "rows").rows() == [("x", str(path), 2), ("y", str(path), 1)]


def test_a_set_without_rows_has_empty_frames_of_the_same_dtypes():
    empty, full = ef.slice_balance([]), ef.slice_balance(SET)
    for name in ("counts", "slices", "splits"):
        assert getattr(empty, name).schema == getattr(full, name).schema
        assert getattr(empty, name).height == 0
    assert "no rows" in repr(empty)
    assert (empty.largest, empty.smallest) == (None, None)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"by": "topic"}, "by is one of slice, tags, split, source"),
        ({"across": "slice"}, "by and across are both 'slice'"),
        ({"pass_rate": 1.5}, "pass_rate is a number from 0 to 1"),
        ({"pass_rate": "0.5"}, "pass_rate is a number"),
        ({"power": 0.5}, "power is a number above 0.5"),
        ({"alpha": float("nan")}, "alpha is a number above 0"),
        ({"alpha": 5e-324}, "above 0 and below 0.5, 1e-300 at least; got 5e-324"),
        ({"delimeter": ";"}, "no option delimeter"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_line(options: dict[str, Any], told: str):
    with pytest.raises(ef.UsageError, match=told) as raised:
        ef.slice_balance(SET, **options)
    assert "\n" not in str(raised.value)


# --------------------------------------------------------------------------------- least differences


def test_published_figures():
    # R's manual of power.prop.test: n = 50, p1 = 0.50, power 0.90 => p2 = 0.8026; n = 76.7 for 0.50, 0.75.
    assert [f"{0.5 + detectable(50, 0.5, 0.9)[1]:.4f}"] == ["0.8026"]
    assert detectable(76, 0.5, 0.9)[1] > 0.25 > detectable(77, 0.5, 0.9)[1]
    # the same page: from 0.9 to 1 with power 0.8 takes at least 74 rows
    assert detectable(73, 0.9)[1] is None
    assert detectable(74, 0.9)[1] is not None


def test_the_table_of_the_page_is_what_is_computed():
    page = (Path(__file__).resolve().parents[1] / "docs" / "charts.md").read_text("utf-8")
    head, _, told = (
        line.split("|")[2:-1] for line in page.splitlines()[page[: page.index("| rows |")].count("\n") :][:3]
    )
    computed = [detectable(int(n.replace(",", "")))[0] for n in head]
    assert [cell.strip() for cell in told] == [f"{100 * difference:.1f}" for difference in computed]


RATES = st.integers(0, 100).map(lambda hundredths: hundredths / 100)
SMALL = Decimal(10) ** -9


@given(st.integers(1, 10**7), RATES, st.sampled_from([0.6, 0.8, 0.95]), st.sampled_from([0.001, 0.05, 0.2]))
def test_a_difference_is_the_least_that_the_test_shows(n: int, rate: float, power: float, alpha: float):
    for difference, start in zip(detectable(n, rate, power, alpha), (rate, 1 - rate), strict=True):
        exact = Decimal(str(round(start, 2)))
        if difference is None:
            assert exact == 0 or not is_shown(exact, n, exact, power, alpha - 1e-9)
        else:
            assert 0 < difference <= start
            above = min(Decimal(difference) * (1 + SMALL) + SMALL, exact)
            assert is_shown(above, n, exact, power - 1e-9, alpha)
            below = Decimal(difference) * (1 - SMALL) - SMALL
            assert below <= 0 or not is_shown(below, n, exact, power, alpha)


def test_each_line_says_what_its_rows_show():
    rows = [{"id": str(n), "input": n, "slice": ["a"] if n < 300 else ["b"]} for n in range(310)]
    found = ef.slice_balance(rows, pass_rate=0.9)
    assert found.slices.select("detectable_fall", "detectable_rise").rows() == [
        detectable(300, 0.9), detectable(10, 0.9),
    ]  # fmt: skip
    assert found.counts["detectable_fall"].to_list() == found.slices["detectable_fall"].to_list()


# -------------------------------------------------------------------------------------------- to eyes


def test_a_screen_shows_counts_by_split_and_escapes_labels():
    rows = [
        {"id": "1", "input": "a", "slice": ["<b>\u202e"], "split": "<i>"},
        {"id": "2", "input": "b", "slice": ["(none)"]},
        {"id": "3", "input": "c"},
    ]
    found = ef.slice_balance(rows)
    html = found._repr_html_()
    assert found._repr_markdown_().startswith("### slice balance: ")
    assert "<b>" not in html
    assert ">&#34;(none)&#34;<" in html
    assert ">(none)<" in html
    assert "&lt;b&gt;&lt;U+202E&gt;" in html
    assert "&lt;i&gt;" in html
    assert "\u202e" not in repr(found)
    assert "over all 3 rows: a fall of -, a rise of -" in repr(found)
    assert [cell["rows"] for cell in found.to_dict()["counts"]] == [0, 1, 1, 0, 0, 1]


def test_a_wide_table_is_cut_and_says_where_the_rest_is():
    rows = [{"id": str(n), "input": n, "slice": [f"s{n}"], "split": f"p{n % 9}"} for n in range(201)]
    told = repr(ef.slice_balance(rows))
    assert "1 more: balance.slices" in told
    assert "1 more of split: balance.splits, balance.counts" in told


# --------------------------------------------------------------------------------------- ways to name a set


@pytest.mark.parametrize(
    "name", ["clean.jsonl", "clean.csv", "faulty.jsonl", "faulty.csv", "faq.csv", "empty.csv"]
)
def test_every_way_to_name_a_set_gives_the_same_figures_and_rows_set_aside(name: str, tmp_path: Path):
    path = Path(__file__).parents[1] / "notebooks" / "data" / name
    target = tmp_path / "set.parquet"
    ef.convert(path, target)
    found = ef.slice_balance(path)
    others = [
        ef.slice_balance(ef.check(str(path))),
        ef.slice_balance(target),
        ef.slice_balance([path], together=True),
        ef.slice_balance(ef.scan(path)),
    ]
    assert all(other.counts.equals(found.counts) for other in others)
    n = ef.check(path).n_malformed
    assert [one.n_malformed for one in (found, *others)] == [n, n, n, n, 0]


@given(st.one_of(generators.jsonl_files().map(lambda file: (file, "jsonl")),
                 generators.csv_files().map(lambda file: (file, "csv"))), BOTH)  # fmt: skip
def test_files_with_noise_count_alike_and_rows_that_cannot_be_read_are_set_aside(
    file: tuple[bytes, str], names: list[str]
):
    content, fmt = file
    try:
        checked = ef.check(content, format=fmt)
    except ef.SourceError:
        return
    found = ef.slice_balance(content, *names, format=fmt)
    held_against(found, balance(reference.canonical(content, fmt, source="<bytes>"), *names))
    assert (found.n_rows, found.n_malformed) == (checked.n_parsed, checked.n_malformed)


def test_a_report_stands_for_its_set_with_the_options_it_was_read_with():
    rows = [{"id": "1", "input": "a", "topic": ["x"]}]
    report = ef.check(rows, columns={"slice": "topic"})
    assert ef.slice_balance(report).slices["slice"].to_list() == ["x"]
    for report, options in (
        (ef.duplicates(SET), {}),
        (ef.check([SET], together=True), {}),
        (ef.check(SET), {"columns": {"slice": "tags"}}),
    ):
        with pytest.raises(ef.UsageError, match="give slice_balance the source itself"):
            ef.slice_balance(report, **options)


def test_columns_that_are_not_there_are_told():
    rows = [{"id": "1", "input": "a"}]
    assert "no column is called slice" in repr(ef.slice_balance(rows))
    with pytest.raises(ef.MappingError, match="no column is called 'topic'"):
        ef.slice_balance(rows, columns={"slice": "topic"})
    assert "no column" not in repr(ef.slice_balance(SET))


# ------------------------------------------------------------------------------- what it can and cannot show


@given(st.integers(1, 100), RATES, st.sampled_from([0.6, 0.8, 0.95]), st.sampled_from([0.001, 0.05, 0.2]))
def test_the_rows_needed_are_the_fewest_that_show_a_difference(
    hundredths: int, rate: float, power: float, alpha: float
):
    needed = rows_needed(hundredths / 100, rate, power, alpha)
    exact, difference = Decimal(str(rate)), Decimal(hundredths) / 100
    starts = [start for start in (exact, 1 - exact) if start >= difference]
    if needed is None:
        assert not starts or any(abs(start - difference) < SMALL for start in starts)
        return
    assert all(is_shown(difference, needed, start, power - 1e-9, alpha) for start in starts)
    fewer = needed - 1
    assert fewer == 0 or not all(is_shown(difference, fewer, start, power + 1e-9, alpha) for start in starts)


@pytest.mark.parametrize("difference", [0, -0.1, 1.5, True, "0.1", float("nan")])
def test_a_difference_that_cannot_be_is_refused(difference: Any):
    with pytest.raises(ef.UsageError, match="difference is a number above 0"):
        ef.slice_balance(SET).shows(difference)


@pytest.mark.parametrize("difference", [1e-150, 1e-300, 5e-324])
def test_a_difference_that_no_set_shows_is_shown_by_no_slice(difference: float):
    balance = ef.slice_balance(SET, alpha=1e-17)
    assert balance.shows(difference).equals(balance.slices.clear())
    assert (rows_needed(difference) or 0) > 10**290


def test_a_tiny_alpha_takes_more_rows_than_a_larger_one():
    needed = [rows_needed(0.1, alpha=alpha) or 0 for alpha in (1e-300, 1e-30, 1e-17, 1e-16, 1e-15, 0.05)]
    assert needed == sorted(set(needed), reverse=True)


def test_slices_times_splits_are_no_grid_where_they_are_many(monkeypatch: pytest.MonkeyPatch):
    rows = [
        {"id": str(n), "input": n, "slice": [f"s{n % 7}", f"s{n % 3}"], "split": ["a", "b", None][n % 3]}
        for n in range(40)
    ]
    rows.append({"id": "none", "input": 1})
    whole = ef.slice_balance(rows).counts
    monkeypatch.setattr(balance_module, "MOST_CELLS", 5)
    join = pl.DataFrame.join

    def no_grid(*args: Any, **options: Any) -> pl.DataFrame:
        assert options.get("how") != "cross"
        return join(*args, **options)

    monkeypatch.setattr(pl.DataFrame, "join", no_grid)
    assert ef.slice_balance(rows).counts.equals(whole.filter(pl.col("rows") > 0))


def test_the_screen_says_what_can_be_shown_and_what_not():
    sizes = {"a": 400, "b": 100, "c": 20}
    rows = [
        {"id": f"{name}{n}", "input": n, "slice": [name], "split": "test" if name != "c" or n else "dev"}
        for name, size in sizes.items()
        for n in range(size)
    ]
    found = ef.slice_balance(rows)
    told = repr(found)
    assert "a change of 5 points takes 1,565 rows: 0 of 3 labels can show it" in told
    assert "a change of 10 points takes 388 rows: 1 of 3 labels can show it" in told
    assert "a change of 20 points takes 93 rows: 2 of 3 labels can show it" in told
    assert "2 pairs of slice and split without a row: nothing can be said there" in told
    assert "3 labels compared one by one: 0.15 would look changed on average where nothing has" in told
    assert found.shows(0.2)["slice"].to_list() == ["a", "b"]

"""Charts: what they draw, that nothing is fetched to show them, and what is said without the extra."""

from __future__ import annotations

import itertools
import operator
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from xml.etree import ElementTree as ET

import altair as alt
import polars as pl
import pytest
import vl_convert
from hypothesis import given
from hypothesis import strategies as st

import evalset_frames as ef
from evalset_frames.charts import pictures
from evalset_frames.charts.labels import labels
from evalset_frames.charts.offline import Chart, LayerChart

HOSTILE = [
    "<script>alert(1)</script>",
    "</text><image href='http://x.test/'/>",
    "{{ 1 }}",
    "a\u202eb",
    "x" * 99,
]
ROWS = [
    {"id": str(n), "input": n % 40, "slice": [HOSTILE[n % 5]], "split": [*HOSTILE, None][n % 6]}
    for n in range(120)
]
FAULTY = "notebooks/data/faulty.jsonl"
LOADING_TAGS = {"script", "style", "image", "foreignObject", "link", "use", "a"}


def what_loads(svg: str) -> list[str]:
    """Elements and attributes of an SVG by which something could be loaded or run."""
    found = []
    for element in ET.fromstring(svg).iter():
        tag = element.tag.rsplit("}", 1)[-1]
        names = {name.rsplit("}", 1)[-1].lower() for name in element.attrib}
        values = " ".join(value for name, value in element.attrib.items() if name != "aria-label")
        if tag in LOADING_TAGS or names & {"href", "src"} or any(name.startswith("on") for name in names):
            found.append(tag)
        found += re.findall(r"url\((?!#)|@import|https?:", values)
    return found


def every_chart() -> dict[str, pictures.Picture]:
    overlapping = ef.overlap(ROWS, key=["input"])
    return {
        **ef.check(ROWS).charts(),
        "duplicates": ef.duplicates(ROWS, key=["input"]).charts()["group_sizes"],
        **overlapping.charts(),
        **ef.slice_balance(ROWS).charts(),
        **{f"empty {name}": chart for name, chart in ef.check([]).charts().items()},
        "no groups": ef.duplicates([]).charts()["group_sizes"],
        "no overlap": ef.overlap(ROWS[:1]).charts()["overlap"],
        "no slices": ef.slice_balance([]).charts()["slice_balance"],
    }


def test_each_report_names_its_charts():
    assert list(ef.check(ROWS).charts()) == ["completeness", "findings"]
    assert list(ef.duplicates(ROWS).charts()) == ["group_sizes"]
    assert list(ef.overlap(ROWS).charts()) == ["group_sizes", "overlap"]
    assert list(ef.conflicts(ROWS).charts()) == ["group_sizes"]
    assert list(ef.slice_balance(ROWS).charts()) == ["slice_balance"]


def test_charts_are_static_pictures_that_fetch_nothing():
    for name, chart in every_chart().items():
        svg = chart.to_svg()
        assert what_loads(svg) == [], name
        assert "\u202e" not in svg
        assert re.match(r'<svg role="img" aria-label="[^"<>]{10,}"', svg), name
        assert set(chart._repr_mimebundle_()) == {"image/svg+xml", "text/plain"}


def test_charts_are_altairs_own_and_stay_offline_when_restyled():
    for chart in ef.overlap(ROWS, key=["input"]).charts().values():
        assert isinstance(chart, alt.TopLevelMixin)
        restyled = chart.properties(title="Mine").configure_axis(grid=False)
        assert isinstance(restyled, Chart | LayerChart)
        assert ">Mine<" in restyled.to_svg()


@pytest.mark.parametrize("combined", [operator.or_, operator.and_, operator.add, alt.hconcat, alt.concat])
def test_charts_combine_as_altairs_own_do(combined: Callable[..., alt.TopLevelMixin]):
    charts = [
        *ef.check(FAULTY).charts().values(),
        *ef.slice_balance(ROWS).charts().values(),
        *ef.overlap(ROWS, key=["input"]).charts().values(),
    ]
    for one, other in itertools.permutations(charts, 2):
        spec = combined(one.properties(title="Mine"), other).to_dict()
        assert "Mine" in vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])
        assert [part for part in spec.get("hconcat", []) if "padding" in part or "background" in part] == []


def test_a_picture_has_white_behind_it_and_room_around_it_unless_told_otherwise():
    for chart in every_chart().values():
        spec = chart.to_dict()
        assert (spec["background"], spec["padding"]) == ("white", 10)
        told = chart.properties(background="#eee", padding=3).to_dict()
        assert (told["background"], told["padding"]) == ("#eee", 3)


@pytest.mark.parametrize("name", ["a\x07", "a\nb", "a\u2028b", "a\u202eb", "\0", "x" * 1000, "<b>{{ 1 }}"])
def test_a_column_of_any_name_can_be_drawn(name: str):
    rows = [{"id": "1", "input": "x", name: "a"}, {"id": "2", "input": "x", name: "b"}]
    mapped = ef.slice_balance(rows, columns={"slice": name}).charts()
    for chart in [
        *ef.overlap(rows, by=name, key=["input"]).charts().values(),
        *ef.check(rows).charts().values(),
        *mapped.values(),
        pictures.slice_balance(pl.DataFrame({name: ["a"], f"{name}2": ["b"], "rows": [1]}), name, f"{name}2"),
    ]:
        svg = chart.to_svg()
        assert "\u202e" not in svg
        assert float(ET.fromstring(svg).get("width", "inf")) < 1500


def test_the_same_report_gives_the_same_bytes_in_another_process():
    code = (
        "import sys; sys.path[:0] = ['tests']; import test_charts as t, hashlib;"
        "print(hashlib.sha256(''.join(c.to_svg() for c in t.every_chart().values()).encode()).hexdigest())"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=None
        ).stdout
        for _ in range(2)
    }
    assert len(runs) == 1


def test_a_notebook_shows_all_of_them():
    charts = ef.check(FAULTY).charts()
    html = charts._repr_html_()
    assert html.count("<svg ") == len(charts) == 2
    assert what_loads(html) == []
    assert repr(charts) == "Charts: completeness, findings"


def data_of(chart: pictures.Picture) -> list[dict[str, object]]:
    (rows,) = chart.to_dict()["datasets"].values()
    return rows


def test_completeness_draws_the_table():
    report = ef.check(FAULTY)
    drawn = {(row["label"], row["state"]): row["rows"] for row in data_of(report.charts()["completeness"])}
    assert drawn == {
        (line["column"], state): line[state]
        for line in report.completeness.to_dicts()
        for state in pictures.STATE_ORDER
    }


def test_findings_are_counted_by_rule_the_most_serious_first():
    report = ef.check(FAULTY)
    drawn = data_of(report.charts()["findings"])
    assert {row["rule"]: row["findings"] for row in drawn} == dict(
        report.findings["rule"].value_counts().iter_rows()
    )
    severities = [row["severity"] for row in drawn]
    assert severities == sorted(severities, key=["error", "warning", "info"].index)


def test_group_sizes_beyond_the_most_are_one_bar():
    sizes = pl.DataFrame({"size": range(2, 52), "groups": [1] * 50})
    drawn = data_of(pictures.group_sizes(sizes, "Groups"))
    assert len(drawn) == pictures.MOST + 1
    assert drawn[-1] == {"label": "over 41", "groups": 10}


def test_slice_balance_draws_every_row_of_the_slices_shown():
    many = [{"id": str(n), "input": n, "slice": [f"s{n % 50}"], "split": f"p{n % 12}"} for n in range(600)]
    chart = ef.slice_balance(many).charts()["slice_balance"]
    drawn = data_of(chart)
    assert sum(row["rows"] for row in drawn) == pictures.MOST * 12
    assert len({row["colour"] for row in drawn}) == pictures.MOST_COLOURS
    assert chart.to_dict()["title"]["subtitle"] == "the first 40 of 50: slice"


def test_a_split_called_others_is_not_the_rest():
    many = [{"id": str(n), "input": n, "slice": ["s"], "split": f"p{n % 12}"} for n in range(120)]
    many += [{"id": f"o{n}", "input": n, "slice": ["s"], "split": "others"} for n in range(50)]
    drawn = {row["colour"]: row["rows"] for row in data_of(ef.slice_balance(many).charts()["slice_balance"])}
    assert (drawn['"others"'], drawn["others"]) == (50, 60)
    few = ef.slice_balance(many[-50:]).charts()["slice_balance"]
    assert [row["colour"] for row in data_of(few)] == ["others"]
    names = ["others", *(f"p{n:02}" for n in range(50))]
    shared = [{"id": f"{n}{name}", "input": n, "split": name} for n in range(2) for name in names]
    cells = data_of(ef.overlap(shared, key=["input"]).charts()["overlap"])
    assert len(cells) == pictures.MOST**2


@pytest.mark.parametrize("name", ["(none)", '"(none)"', "others"])
def test_a_slice_called_none_is_not_the_rows_without(name: str):
    assert labels([name, None])[None] == "(none)"
    balance = ef.slice_balance([{"id": "1", "input": 1, "slice": [name]}, {"id": "2", "input": 2}])
    drawn = {row["label"] for row in data_of(balance.charts()["slice_balance"])}
    assert drawn == {"(none)", name if name == "others" else f'"{name}"'}


def test_overlap_draws_the_matrix():
    report = ef.overlap(ROWS, key=["input"])
    drawn = [row["keys"] for row in data_of(report.charts()["overlap"])]
    assert drawn == [cell for line in report.matrix.iter_rows() for cell in line[1:]]


@given(
    st.lists(
        st.none() | st.text(max_size=3) | st.sampled_from(["(none)", "1. a", "a\n", "a" * 60]), unique=True
    )
)
def test_different_texts_have_different_labels(texts: list[str | None]):
    called = labels(texts)
    assert list(called) == texts
    assert len(set(called.values())) == len(texts)


@pytest.mark.parametrize("module", ["altair", "vl_convert"])
def test_without_the_extra_one_line_names_it(module: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ef.MissingDependencyError) as raised:
        ef.check(ROWS).charts()
    told = f"{module} is not installed; run: pip install 'evalset-frames[viz]'"
    assert str(raised.value) == told


def luminance(channels: Iterable[int]) -> float:
    shares = [c / 255 for c in channels]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: float, other: float) -> float:
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


def test_colours_stand_out_from_white():
    colours = [*pictures.STATE_COLOURS, *pictures.SEVERITY_COLOURS, *pictures.COLOURS, *pictures.SHADES]
    # WCAG 2.2, success criterion 1.4.11: graphics need a contrast of 3 to 1.
    assert [c for c in colours if contrast(1, luminance(bytes.fromhex(c[1:]))) < 3] == []


def test_the_cells_of_a_heat_map_stand_out_from_white_and_their_numbers_from_them():
    names = [f"s{n:02}" for n in range(21)]
    pairs = pl.DataFrame(
        [
            {"label": one, "other": other, "keys": at + to}
            for at, one in enumerate(names)
            for to, other in enumerate(names)
        ]
    )
    svg = ET.fromstring(pictures.overlap(pairs, "split").to_svg())
    fills: dict[str, list[str]] = {"path": [], "text": []}
    for group in svg.iter():
        if (kind := re.match(r"mark-(rect|text) role-mark layer", group.get("class", ""))) is not None:
            fills["path" if kind[1] == "rect" else "text"] += [one.get("fill", "") for one in group]
    assert len(fills["path"]) == len(fills["text"]) == len(names) ** 2
    for cell, number in zip(fills["path"], fills["text"], strict=True):
        shade = luminance(map(int, re.findall(r"\d+", cell)))
        assert contrast(1, shade) >= 3
        assert contrast({"white": 1, "black": 0}[number], shade) >= 4.5  # success criterion 1.4.3

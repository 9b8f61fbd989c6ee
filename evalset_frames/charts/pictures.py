"""One function a chart. Each takes a frame of counts, so that a set of any size draws at once."""

from __future__ import annotations

from typing import Any, Final

import altair as alt
import polars as pl

from evalset_frames.charts.labels import WIDTH, labels
from evalset_frames.charts.offline import Chart, LayerChart
from evalset_frames.names import SEVERITIES, STATES
from evalset_frames.views.visible import visible

MOST: Final = 40
"""Most lines of a chart; its subtitle says how many there are."""
MOST_COLOURS: Final = 8
OTHERS: Final = "others"

STATE_ORDER: Final = ("present", *(state for state in STATES if state != "present"))
STATE_COLOURS: Final = ("#1a7f37", "#57606a", "#bf8700", "#8250df")
"""Present, absent, null, empty: at least 3 to 1 against white, and apart in lightness or hue to eyes that
mix red and green."""
SEVERITY_COLOURS: Final = ("#c62828", "#8a5d00", "#0a5cc2")
ONE_COLOUR: Final = "#0a5cc2"
COLOURS: Final = ("#0072b2", "#a34700", "#00785a", "#9b4f7d", "#7a6a00", "#3a6f93", "#8c3b3b", "#57606a")
"""Of splits: Okabe and Ito's hues, darkened to at least 3 to 1 against white."""
SHADES: Final = ("#5f97cf", "#08306b")
"""Of a heat map, from none to most: each is at least 3 to 1 against white, as they are mixed in RGB."""
WHITE_ABOVE: Final = 0.3
"""The share of the most above which white numbers stand out from a shade more than black ones: 4.5 to 1."""

Picture = Chart | LayerChart


def completeness(table: pl.DataFrame) -> Picture:
    """Rows by the state of their cell, a bar a column.

    Args:
        table: A completeness table (`examine.schemas.COMPLETENESS_SCHEMA`).
    """
    shown = table.head(MOST)
    called = labels(shown["column"])
    long = (
        shown.with_columns(label=_called(shown["column"], called))
        .unpivot(STATE_ORDER, index="label", variable_name="state", value_name="rows")
        .with_columns(at=pl.col("state").replace_strict({s: n for n, s in enumerate(STATE_ORDER)}))
    )
    chart = _lines(_sorted(long, "label", called, "at"), called).mark_bar(stroke="white", strokeWidth=0.5)
    return _titled(
        chart.encode(
            x=alt.X("rows:Q", stack="normalize", title="share of rows read", axis=alt.Axis(format="%")),
            color=alt.Color(
                "state:N", title="cell", scale=alt.Scale(domain=list(STATE_ORDER), range=list(STATE_COLOURS))
            ),
            order="at:Q",
        ),
        "Completeness",
        _left_out(table.height, "column"),
        "For each column, the share of rows whose cell is present, absent, null or empty",
    )


def findings_by_rule(counts: pl.DataFrame) -> Picture:
    """Findings by rule, a bar a rule.

    Args:
        counts: Columns severity, rule, findings, in the order of the chart.
    """
    shown = counts.head(MOST)
    called = labels(shown["rule"])
    data = shown.with_columns(pl.col("severity").cast(pl.String), label=_called(shown["rule"], called))
    bars = (
        _lines(data, called)
        .mark_bar()
        .encode(
            x=_counts("findings"),
            color=alt.Color(
                "severity:N", scale=alt.Scale(domain=list(SEVERITIES), range=list(SEVERITY_COLOURS))
            ),
        )
    )
    return _with_numbers(
        bars, data, called, "findings", "Findings by rule", _left_out(counts.height, "rule"),
        "For each rule that found something, the number of its findings",
    )  # fmt: skip


def group_sizes(sizes: pl.DataFrame, title: str) -> Picture:
    """Groups by the number of their rows.

    Args:
        sizes: Columns size, groups, sorted by size.
        title: What the groups are.
    """
    named = sizes.head(MOST).select(pl.col("size").cast(pl.String).alias("label"), "groups")
    if more := int(sizes["groups"][MOST:].sum()):
        over = f"over {sizes['size'][MOST - 1]}"
        named = named.vstack(pl.DataFrame({"label": [over], "groups": [more]}, named.schema))
    called = {label: label for label in named["label"]}
    bars = (
        _lines(named, called, "rows of a group")
        .mark_bar()
        .encode(x=_counts("groups"), color=alt.value(ONE_COLOUR))
    )
    return _with_numbers(
        bars, named, called, "groups", title, "", "For each size, the number of groups with so many rows"
    )


def slice_balance(counts: pl.DataFrame, by: str, across: str) -> Picture:
    """Rows by slice, a bar a slice, coloured by split.

    Args:
        counts: The columns `by`, `across` and rows, slices and splits in their order.
        by: The column of the slices.
        across: The column of the splits.
    """
    of_slices, of_splits = visible(by, WIDTH), visible(across, WIDTH)
    slices = counts[by].unique(maintain_order=True)
    splits = counts[across].unique(maintain_order=True)
    called = labels(slices.head(MOST))
    if len(splits) > MOST_COLOURS:
        coloured = labels(splits.head(MOST_COLOURS - 1), taken=OTHERS)
        order = [*coloured.values(), OTHERS]
    else:
        coloured = labels(splits)
        order = list(coloured.values())
    data = (
        counts.filter(pl.col(by).is_in(list(called), nulls_equal=True) & (pl.col("rows") > 0))
        .with_columns(label=_called(pl.col(by), called), colour=_called(pl.col(across), coloured))
        .group_by("label", "colour")
        .agg(pl.col("rows").sum())
        .with_columns(at=pl.col("colour").replace_strict({c: n for n, c in enumerate(order)}, default=0))
    )
    chart = (
        _lines(_sorted(data, "label", called, "at"), called, of_slices)
        .mark_bar(stroke="white", strokeWidth=0.5)
        .encode(
            x=_counts("rows"),
            color=alt.Color(
                "colour:N", title=of_splits, scale=alt.Scale(domain=order, range=list(COLOURS[: len(order)]))
            ),
            order="at:Q",
        )
    )
    return _titled(
        chart,
        f"Rows by {of_slices} and {of_splits}",
        _left_out(len(slices), of_slices),
        f"For each {of_slices}, its rows by {of_splits}",
    )


def overlap(pairs: pl.DataFrame, by: str) -> Picture:
    """Keys that two splits share, as a heat map.

    Args:
        pairs: Ordered pairs of labels (`examine.agreeing.PAIRS_SCHEMA`).
        by: The column of the labels.
    """
    of_labels = visible(by, WIDTH)
    names = pairs["label"].unique(maintain_order=True)
    called = labels(names.head(MOST))
    order = list(called.values())
    shown = pl.col("label", "other").is_in(list(called), nulls_equal=True)
    data = (
        pl.DataFrame({"label": order}, {"label": pl.String})
        .join(pl.DataFrame({"other": order}, {"other": pl.String}), how="cross", maintain_order="left_right")
        .join(
            pairs.filter(pl.all_horizontal(shown)).select(
                _called(pl.col("label"), called).alias("label"),
                _called(pl.col("other"), called).alias("other"), "keys"),
            on=["label", "other"], how="left", maintain_order="left",
        )
        .with_columns(pl.col("keys").fill_null(0))
    )  # fmt: skip
    most = int(data["keys"].max() or 0)  # type: ignore[arg-type]
    shades = alt.Scale(domain=[0, max(most, 1)], range=list(SHADES), interpolate="rgb")
    axis = alt.Axis(labelLimit=300)
    base = alt.Chart(data).encode(
        x=alt.X("other:N", sort=order, title=of_labels, axis=axis),
        y=alt.Y("label:N", sort=order, title=of_labels, axis=axis),
    )
    cells = base.mark_rect(stroke="white").encode(color=alt.Color("keys:Q", scale=shades, legend=None))
    light = alt.condition(f"datum.keys > {WHITE_ABOVE * most}", alt.value("white"), alt.value("black"))
    chart = LayerChart(layer=[cells, base.mark_text().encode(text="keys:Q", color=light)])
    return _titled(
        chart.properties(width=alt.Step(48), height=alt.Step(28)),
        f"Keys under two values of {of_labels}", _left_out(len(names), of_labels),
        "For each two values, keys under both; on the diagonal, keys that also occur elsewhere",
    )  # fmt: skip


def _called(of: pl.Series | pl.Expr, called: dict[str | None, str]) -> Any:
    return of.replace_strict(called, default=OTHERS, return_dtype=pl.String)


def _sorted(data: pl.DataFrame, by: str, called: dict[str | None, str], *then: str) -> pl.DataFrame:
    place = {label: at for at, label in enumerate(called.values())}
    return data.sort(pl.col(by).replace_strict(place, default=None, return_dtype=pl.Int64), *then)


def _lines(data: pl.DataFrame, called: dict[Any, str], title: str | None = None) -> Chart:
    """A chart with a line a label, in their order."""
    y = alt.Y("label:N", sort=list(called.values()), title=title, axis=alt.Axis(labelLimit=300))
    lines: Chart = Chart(data).encode(y=y)
    return lines


def _counts(field: str) -> alt.X:
    return alt.X(f"{field}:Q", title=field, axis=alt.Axis(format=",d", tickMinStep=1))


def _with_numbers(
    bars: Chart, data: pl.DataFrame, called: dict[Any, str], field: str, *titles: str
) -> Picture:
    numbers = _lines(data, called).mark_text(align="left", dx=3).encode(
        x=f"{field}:Q", text=alt.Text(f"{field}:Q", format=",d")
    )  # fmt: skip
    return _titled(LayerChart(layer=[bars, numbers]), *titles)


def _left_out(n: int, noun: str) -> str:
    return f"the first {MOST} of {n:,}: {noun}" if n > MOST else ""


def _titled(chart: Any, title: str, subtitle: str, description: str) -> Picture:
    """What all charts say of themselves."""
    shown = (
        alt.Title(title, subtitle=subtitle, anchor="start") if subtitle else alt.Title(title, anchor="start")
    )
    told: Picture = chart.properties(title=shown, description=description)
    return told

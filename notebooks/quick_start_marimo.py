"""The quick start as a marimo notebook: ``marimo edit notebooks/quick_start_marimo.py``."""

import marimo

__generated_with = "0.25.2"
app = marimo.App(app_title="Quick start: check a golden set")


@app.cell
def _():
    from pathlib import Path

    import marimo as mo
    import polars as pl

    import evalset_frames as ef

    data = Path(__file__).parent / "data"
    return data, ef, mo, pl


@app.cell
def _(mo):
    mo.md("""
    # Quick start: check a golden set

    A score from an evaluation is only as good as the golden set behind it. This notebook checks a small set
    in which almost everything is wrong. marimo shows a report as Jupyter does: name it at the end of a cell.
    """)
    return


@app.cell
def _(data, ef):
    report = ef.check(data / "faulty.jsonl")
    report
    return (report,)


@app.cell
def _(mo):
    mo.md("""
    ## Findings are a table

    Each finding is one line, with the row and the line of the file; a question about findings is a question
    to a frame.
    """)
    return


@app.cell
def _(pl, report):
    report.findings.group_by("severity", "rule").agg(pl.len().alias("findings")).sort("severity", "rule")
    return


@app.cell
def _(mo):
    mo.md("""
    ## Absent, null, empty, present

    Four states that most readers make one of, in the completeness table and as a chart.
    """)
    return


@app.cell
def _(report):
    report.completeness
    return


@app.cell
def _(report):
    report.charts()
    return


@app.cell
def _(mo):
    mo.md("""
    ## What the set can show

    Rows counted twice, and whether each slice has rows enough to tell two systems apart.
    """)
    return


@app.cell
def _(data, ef):
    ef.duplicates(data / "clean.jsonl")
    return


@app.cell
def _(data, ef):
    ef.slice_balance(data / "clean.jsonl")
    return


@app.cell
def _(mo):
    mo.md("""
    ## What to take away

    One call says whether a set is sound and where it is not; everything it says is a frame you can filter and
    join. Change a path above, and marimo runs again what depends on it.
    """)
    return


if __name__ == "__main__":
    app.run()

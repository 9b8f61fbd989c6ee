# %% [markdown]
# # Quick start: check a golden set
#
# A score from an evaluation is only as good as the golden set behind it. This notebook checks a small set
# in which almost everything is wrong, and shows where the answers are: in one report for the eye, and in
# Polars frames for everything else. It takes a minute and sends nothing anywhere.

# %%
from pathlib import Path

import polars as pl

import evalset_frames as ef

DATA = Path("data" if Path("data").is_dir() else "notebooks/data")  # in its own folder, or in a checkout

# %% [markdown]
# ## One call
#
# `ef.check` takes a path, a URI, a Polars or Arrow table, or a list of dicts. Naming the report shows it:
# the verdict, the findings by rule with the worst first, how ids repeat, and what each column holds. A
# finding names the data row and, where the two differ, the line of the file in brackets.

# %%
report = ef.check(DATA / "faulty.jsonl")
report

# %% [markdown]
# ## Findings are a table
#
# Each finding is one line of `report.findings`, with the same columns whatever was found. So a question
# about findings is a question to a frame: here, which rules fire, and how many rows each concerns.

# %%
report.findings.group_by("severity", "rule").agg(pl.len().alias("findings"), pl.col("count").sum()).sort(
    "severity", "rule"
)

# %% [markdown]
# ## Absent, null, empty, present
#
# Readers made for analysis turn a missing key, a null and an empty text into one thing. The completeness
# table keeps them apart, since they have different causes: a column nobody exported, a value nobody knew, a
# form that somebody left blank.

# %%
report.completeness

# %% [markdown]
# The same as a chart. Charts need the extra `viz`; they are Altair objects, drawn from the table above, and
# show themselves as static pictures.

# %%
report.charts()["completeness"]

# %% [markdown]
# ## Your columns have other names
#
# Few sets call their columns `id`, `input` and `expected`. Say which column is which, or let a fixed table
# of common names decide, and be told what it decided.

# %%
ef.check(DATA / "faq.csv").status, ef.check(DATA / "faq.csv", columns="auto").hints

# %% [markdown]
# ## Rows, exactly
#
# `ef.read` gives the rows as a frame: text for every value, and beside it the JSON type it had. Nothing is
# guessed: `007` stays text, and 1 and `"1"` stay two things.

# %%
rows = ef.read(DATA / "clean.jsonl")
rows.select("row", "id", "expected", "expected_kind", "split", "slice")

# %% [markdown]
# ## What the set can show
#
# Two more questions to ask before quoting a score by slice: are rows counted twice, and has each slice rows
# enough to tell two systems apart? The second answer for twelve rows is a plain no.

# %%
ef.duplicates(DATA / "clean.jsonl").counts

# %%
ef.slice_balance(DATA / "clean.jsonl")

# %% [markdown]
# ## In a pipeline
#
# `raise_if` turns findings into an exception for the places where a broken set has to stop the run. The set
# with every fault raises; the clean one passes without a word.

# %%
ef.check(DATA / "clean.jsonl").raise_if("error")
try:
    report.raise_if("error")
except ef.FindingsError as stopped:
    told = str(stopped)
told

# %% [markdown]
# ## What to take away
#
# One call says whether a set is sound and where it is not; everything it says is a frame you can filter and
# join. Next: `findings_and_metadata` joins findings to owners, commits and scores, `duplicates_and_scores`
# shows what repeats do to a pass rate, `big_set` does all of it on a million rows.

# %% [markdown]
# # A big golden set
#
# Logs turned into test cases make sets of a million rows. This notebook writes one, with faults at places
# we know, and checks that exactly those are found. Nothing in the calls differs from those for twelve rows.

# %%
import tempfile
from pathlib import Path
from time import perf_counter

import polars as pl

import evalset_frames as ef

folder = tempfile.TemporaryDirectory()
path = Path(folder.name) / "million.jsonl"

# %% [markdown]
# ## A million rows
#
# Every row gets an id, an input, an expected answer, a split and a slice. Then three faults are planted:
# every 100,000th row bears the id of the first one, every 250,000th has a blank input, and one line is
# broken off.

# %%
N = 1_000_000
n = pl.int_range(N).alias("n")
table = pl.select(
    id=pl.when((n > 0) & (n % 100_000 == 0)).then(pl.lit("case-0")).otherwise(pl.format("case-{}", n)),
    input=pl.when((n + 1) % 250_000 == 0).then(pl.lit(" ")).otherwise(pl.format("Where is parcel {}?", n)),
    expected=pl.format("status-{}", n % 7),
    split=pl.when(n % 10 == 0).then(pl.lit("test")).otherwise(pl.lit("train")),
    slice=pl.concat_list(pl.format("region-{}", n % 5 * (n % 3))),
)
table.write_ndjson(path)
with path.open("ab") as file:
    file.write(b'{"id": "broken", "input": "it ends her\n')
f"{path.stat().st_size / 1e6:.0f} MB"

# %% [markdown]
# ## Check it
#
# Large files are decoded by worker processes, one a core; the report is the same with any number of them.
# What has to be remembered of each row goes to disk beyond a share of the memory, which `memory_limit` can
# set.

# %%
start = perf_counter()
report = ef.check(path)
seconds = perf_counter() - start
f"{report.n_total:,} rows in {seconds:.1f} s"

# %%
report

# %% [markdown]
# Exactly what was planted is found, each with its row and line:

# %%
errors = report.findings.filter(severity="error")
errors.select("rule", "row", "line", "count")

# %%
found = dict(errors.group_by("rule").agg(pl.col("count").sum()).sort("rule").iter_rows())
assert found == {"id.duplicate": 10, "input.required": 4, "row.malformed": 1}
found

# %% [markdown]
# ## Convert once, check often
#
# JSON has to be decoded every time. `ef.convert` does it once: the canonical Parquet file keeps what every
# command asks, so later checks take a fraction of the time and give the same findings, rows and lines.

# %%
converted = path.with_suffix(".parquet")
ef.convert(path, converted)
start = perf_counter()
again = ef.check(converted)
assert again.findings.equals(report.findings)
f"{perf_counter() - start:.1f} s instead of {seconds:.1f} s, and the same findings"

# %% [markdown]
# ## Charts and counts of a million rows
#
# Charts are drawn from counts, never from rows, so they appear at once whatever the size of the set.

# %%
balance = ef.slice_balance(converted)
balance

# %% [markdown]
# The test split holds one region alone; the others cannot be scored at all:

# %%
assert balance.counts.filter((pl.col("split") == "test") & (pl.col("rows") > 0))["slice"].to_list() == [
    "region-0"
]
balance.counts.filter(split="test").select("slice", "rows", "share_of_split", "detectable_fall")

# %%
balance.charts()["slice_balance"]

# %% [markdown]
# ## Frames you already hold
#
# A set that is a lazy query of yours needs no file at all: importing the package gives frames a namespace.

# %%
query = table.lazy().filter(pl.col("split") == "test")
query.evalset.duplicates(key=["input"]).counts

# %% [markdown]
# ## What to take away
#
# A million rows are checked in seconds, and exactly: every planted fault was found and nothing else.
# Convert a set that you check often. And look at the balance even of a set that size: the way we drew the
# splits left only one region in the test split, so no score by region will ever come out of it. No finding
# says so; the counts do.

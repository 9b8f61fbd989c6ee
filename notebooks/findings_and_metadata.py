# %% [markdown]
# # Findings and everything else you know
#
# A list of faults is read once; a list of faults by owner is worked off. Findings are a frame with
# `source`, `row`, `line` and `id`, so they join to whatever else you know about the rows. This notebook
# joins them to owners, to the commits that wrote the lines, and to the scores of a model.

# %%
import os
import subprocess
import tempfile
from pathlib import Path

import polars as pl

import evalset_frames as ef

DATA = Path("data" if Path("data").is_dir() else "notebooks/data")  # in its own folder, or in a checkout
report = ef.check(DATA / "faulty.jsonl")
report

# %% [markdown]
# ## Owners, by batch
#
# Who wrote which rows is usually written down somewhere; here the set was put together in two batches. Each
# finding about rows gets the batch that its row belongs to, and with it an owner.

# %%
batches = pl.DataFrame({"first": [1, 11], "owner": ["team-chat", "team-payments"]})

(
    report.findings.drop_nulls("row")
    .sort("row")
    .join_asof(batches, left_on="row", right_on="first")
    .group_by("owner", "severity")
    .agg(pl.len().alias("findings"), pl.col("rule").unique().sort().alias("rules"))
    .sort("owner", "severity")
)

# %% [markdown]
# ## What the rows say
#
# The rows themselves join on `source` and `row`. A left join that starts from the findings keeps them all:
# a row that could not be read is in no frame of rows, and its finding stays, with nulls beside it.

# %%
rows = ef.read(DATA / "faulty.jsonl").select("source", "row", "input", "input_kind")

report.findings.drop_nulls("row").join(rows, on=["source", "row"], how="left", maintain_order="left").select(
    "row", "line", "rule", "id", "input", "input_kind"
)

# %% [markdown]
# ## Commits, by line
#
# `git blame` knows who wrote each line of a file, and a finding knows the line its row starts on. To have a
# history to look at, we make a small repository: one commit with the first half of the set, one with the
# rest.

# %%
folder = tempfile.TemporaryDirectory()
golden = Path(folder.name) / "golden.jsonl"
lines = (DATA / "faulty.jsonl").read_bytes().splitlines(keepends=True)


def git(*words: str) -> str:
    """What a git command in that folder prints."""
    return subprocess.run(
        ["git", *words], cwd=folder.name, env=os.environ, capture_output=True, check=True
    ).stdout.decode("utf-8", "replace")


git("init", "--quiet")
for author, part in {"team-chat": lines[: len(lines) // 2], "team-payments": lines}.items():
    golden.write_bytes(b"".join(part))
    git("add", golden.name)
    who = ["-c", f"user.name={author}", "-c", "user.email=golden@example.invalid"]
    git(*who, "commit", "--quiet", "--message", f"Cases of {author}")

# %% [markdown]
# The porcelain format of `git blame` has a block a line: its first line ends in the line's number, and a
# line `author …` follows. A dozen lines of Python make a frame of it.

# %%
blamed, number = [], 0
for told in git("blame", "--line-porcelain", golden.name).split("\n"):
    words = told.split(" ")
    if len(words[0]) == 40 and len(words) in {3, 4}:
        number = int(words[2])
    elif words[0] == "author":
        blamed.append((number, " ".join(words[1:])))
blame = pl.DataFrame(blamed, schema={"line": pl.Int64, "author": pl.String}, orient="row")

found = ef.check(golden).findings
(
    found.join(blame, on="line", how="inner")
    .group_by("author", "severity")
    .agg(pl.len().alias("findings"), pl.col("line").sort().alias("lines"))
    .sort("author", "severity")
)

# %%
folder.cleanup()

# %% [markdown]
# ## Scores of a model
#
# A model that fails on a broken case has not failed. With the scores joined to the findings, the pass rate
# can be told for cases without errors and for the others. The scores here are made up: every third case
# fails.

# %%
scores = rows.select("source", "row", passed=pl.col("row") % 3 != 0)
broken = report.findings.filter(severity="error").explode("rows").select(row="rows").unique()
judged = scores.join(broken.with_columns(broken=True), on="row", how="left").with_columns(
    pl.col("broken").fill_null(value=False)
)
judged.group_by("broken").agg(pl.len().alias("cases"), pl.col("passed").mean().alias("pass_rate")).sort(
    "broken"
)

# %% [markdown]
# `rows` of a finding names all rows concerned, so a repeated id counts against each of its rows; `explode`
# puts them under each other.
#
# ## What to take away
#
# Join findings on `source` and `row` to anything by row, on `id` to anything by case, on `line` to anything
# by line of the file. Start from the findings with a left join, and no finding is lost.

# %% [markdown]
# # Duplicates, and what they do to a score
#
# Two rows that ask the same question are one case counted twice. A set with repeats gives every repeated
# case more weight, and makes the score look more precise than it is. This notebook makes a set in which
# easy cases repeat, scores it, and compares the pass rate over rows with that over cases.

# %%
import polars as pl

import evalset_frames as ef

# %% [markdown]
# ## A set with repeats
#
# 240 cases, every third of them hard. Each of the first 40 easy ones was pasted four more times, with other
# ids and now and then a space at the end: the way sets grow when several people copy from one sheet.

# %%
cases = [
    {
        "id": f"case-{n}",
        "input": f"Question {n}",
        "expected": f"Answer {n}",
        "split": "test",
        "slice": ["hard"] if n % 3 == 0 else ["easy"],
    }
    for n in range(240)
]
easy = [case for case in cases if case["slice"] == ["easy"]][:40]
copies = [
    case | {"id": f"{case['id']}-copy-{k}", "input": case["input"] + " " * (k % 2)}
    for k in range(4)
    for case in easy
]
golden = cases + copies
len(golden)

# %% [markdown]
# ## Find them
#
# `ef.duplicates` compares values exactly, with their types; only white space at the ends of texts does not
# count unless you say `whitespace="exact"`. Ids and metadata are not compared: they are meant to differ.

# %%
dups = ef.duplicates(golden)
dups

# %%
dups.charts()["group_sizes"]

# %% [markdown]
# ## The pass rate, over rows and over cases
#
# A model passes the easy cases, and fails nine of ten hard ones. Over rows, the copies of easy cases count
# five times; over unique rows, each case counts once. `ef.pass_rate` gives both, each with its Wilson
# interval.

# %%
results = pl.DataFrame(
    {
        "id": [case["id"] for case in golden],
        "passed": [case["slice"] == ["easy"] or int(case["id"].split("-")[1]) % 30 == 0 for case in golden],
    }
)
score = ef.pass_rate(results, dups)
score

# %% [markdown]
# The repeats raise the score by several points, and the interval over rows is too narrow: 400 rows look
# like 400 independent cases, and are 240.

# %%
assert score.rate > score.unique.rate
assert score.width_ratio > 1
f"{score.rate:.1%} over rows, {score.unique.rate:.1%} over cases"

# %% [markdown]
# ## Is a difference between slices real?
#
# Before reading the score by slice, ask what the rows of a slice can show. Over unique rows the hard slice
# has 80 cases: two systems must differ by some twenty points on it before a test notices.

# %%
kept = pl.DataFrame(golden).with_row_index("row", offset=1).with_columns(pl.col("row").cast(pl.Int64))
unique = kept.join(dups.members.filter("drop"), on="row", how="anti").drop("row")
unique.evalset.slice_balance()

# %% [markdown]
# ## Leaks between splits
#
# Repeats within a split distort a score; repeats across splits leak the test into the training. The same
# comparison, asked for by split, shows which cases are on both sides.

# %%
leaky = pl.DataFrame(golden).with_columns(
    split=pl.when(pl.col("id").str.ends_with("copy-1")).then(pl.lit("train")).otherwise(pl.lit("test"))
)
overlap = ef.overlap(leaky)
overlap.charts()["overlap"]

# %%
overlap.members.head(4)

# %% [markdown]
# ## What to take away
#
# Quote a pass rate over unique rows, with its interval; mend the set with `members` (rows marked `drop`),
# or keep the copies and say so. Look for overlap before training on anything near the set.

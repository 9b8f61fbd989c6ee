"""Who is measured at what."""

from __future__ import annotations

from benchmarks.contender import BIG, LIMIT, Contender
from benchmarks.sets import CANONICAL

JSONL = "check JSON Lines"
CSV = "check CSV"
PARQUET = "check Parquet"
DUPLICATES = "duplicates in JSON Lines"
COLUMN = "one column of JSON Lines"
SUBSETS = "filter, shuffle and sample a set in memory"
LARGE = f"{BIG} times the rows"

_READ = "reads, checks nothing"
_FRAME = "id and input full and not blank, ids unique, on a frame"
_SQL = "id and input full and not blank, ids unique, in SQL"
_LOOP = "each line against the schema; ids are not compared"

CONTENDERS = (
    Contender(JSONL, "evalset", "evalset_check", ".jsonl", does="every rule, workers as by default"),
    Contender(JSONL, "evalset, 1 worker", "evalset_check", ".jsonl", options={"workers": 1}),
    Contender(JSONL, "evalset, 2 workers", "evalset_check", ".jsonl", options={"workers": 2}),
    Contender(JSONL, "polars.read_ndjson", "polars_frame", ".jsonl", does=_READ),
    Contender(JSONL, "pandas.read_json", "pandas_frame", ".jsonl", ("pandas",), _READ),
    Contender(JSONL, "DuckDB", "duckdb_table", ".jsonl", ("duckdb",), f"into a table; {_SQL}"),
    Contender(JSONL, "orjson loop", "orjson_loop", ".jsonl", does="decodes each line, checks nothing"),
    Contender(JSONL, "jsonschema loop", "jsonschema_loop", ".jsonl", does=_LOOP, share=0.05),
    Contender(
        JSONL, "jsonschema-rs + orjson loop", "jsonschema_rs_loop", ".jsonl", ("jsonschema-rs",), _LOOP
    ),
    Contender(
        JSONL, "pydantic loop", "pydantic_loop", ".jsonl", ("pydantic",), "each line against a typed dict"
    ),
    Contender(JSONL, "pandera", "pandera_frame", ".jsonl", does=f"{_FRAME} of Polars"),
    Contender(JSONL, "pointblank", "pointblank_frame", ".jsonl", ("pointblank",), f"{_FRAME} of Polars"),
    Contender(
        JSONL,
        "frictionless",
        "frictionless_file",
        ".jsonl",
        ("frictionless", "jsonlines"),
        "id and input required and not blank, ids unique",
        share=0.05,
    ),
    Contender(
        JSONL,
        "Great Expectations",
        "great_expectations_frame",
        ".jsonl",
        ("great-expectations", "pandas"),
        f"{_FRAME} of pandas",
        share=0.2,
    ),
    Contender(CSV, "evalset", "evalset_check", ".csv", does="every rule, workers as by default"),
    Contender(CSV, "polars.read_csv", "polars_frame", ".csv", does=_READ),
    Contender(CSV, "pandas.read_csv", "pandas_frame", ".csv", ("pandas",), _READ),
    Contender(CSV, "DuckDB", "duckdb_table", ".csv", ("duckdb",), f"into a table; {_SQL}"),
    Contender(CSV, "pandera", "pandera_frame", ".csv", does=f"{_FRAME} of Polars"),
    Contender(CSV, "pointblank", "pointblank_frame", ".csv", ("pointblank",), f"{_FRAME} of Polars"),
    Contender(
        CSV,
        "frictionless",
        "frictionless_file",
        ".csv",
        ("frictionless",),
        "structure; id and input required and not blank, ids unique",
        share=0.05,
    ),
    Contender(PARQUET, "evalset, canonical", "evalset_check", CANONICAL, does="as evalset convert writes it"),
    Contender(PARQUET, "evalset, any other", "evalset_check", ".parquet"),
    Contender(PARQUET, "polars.scan_parquet", "polars_frame", ".parquet", does=_READ),
    Contender(PARQUET, "pandas.read_parquet", "pandas_frame", ".parquet", ("pandas",), _READ),
    Contender(PARQUET, "DuckDB", "duckdb_table", ".parquet", ("duckdb",), f"into a table; {_SQL}"),
    Contender(DUPLICATES, "evalset", "evalset_duplicates", ".jsonl", does="groups, members and figures"),
    Contender(DUPLICATES, "evalset, 1 worker", "evalset_duplicates", ".jsonl", options={"workers": 1}),
    Contender(DUPLICATES, "polars", "polars_duplicates", ".jsonl", does="read_ndjson, is_duplicated: rows"),
    Contender(
        DUPLICATES, "pandas", "pandas_duplicates", ".jsonl", ("pandas",), "lists as text, duplicated: rows"
    ),
    Contender(
        DUPLICATES, "DuckDB", "duckdb_duplicates", ".jsonl", ("duckdb",), "into a table; group by: rows"
    ),
    Contender(
        DUPLICATES,
        "pointblank",
        "pointblank_duplicates",
        ".jsonl",
        ("pointblank",),
        "lists as text, rows_distinct: rows",
    ),
    Contender(COLUMN, "evalset scan", "evalset_select", ".jsonl", does="with its kinds and lines"),
    Contender(COLUMN, "polars.scan_ndjson", "polars_select", ".jsonl"),
    Contender(
        SUBSETS, "evalset", "evalset_subsets", CANONICAL, does="canonical Parquet checked, each 20 times"
    ),
    Contender(SUBSETS, "polars", "polars_subsets", CANONICAL, does="the same frame read, each 20 times"),
    Contender(LARGE, "check", "evalset_check", ".jsonl", times=BIG),
    Contender(LARGE, "check, 500 MB", "evalset_check", ".jsonl", options=LIMIT, times=BIG),
    Contender(LARGE, "duplicates", "evalset_duplicates", ".jsonl", times=BIG),
    Contender(LARGE, "duplicates, 500 MB", "evalset_duplicates", ".jsonl", options=LIMIT, times=BIG),
)

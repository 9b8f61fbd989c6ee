"""A file as a table of DuckDB, its types from all rows (JSON) or all text (CSV)."""

from __future__ import annotations

from pathlib import Path

import duckdb

from benchmarks.programs import Places

READERS = {
    ".jsonl": "read_json(?, format='newline_delimited', sample_size=-1)",
    ".csv": "read_csv(?, all_varchar=true)",
    ".parquet": "read_parquet(?)",
}
FAULTS = """
    select row from rows where id is null or not regexp_matches(id::varchar, '\\S')
    union all select row from rows where input is null or not regexp_matches(input::varchar, '\\S')
    union all select row from (select row, count(*) over (partition by id) n, id from rows) where n > 1
"""


def load(path: Path) -> duckdb.DuckDBPyConnection:
    """A connection with the file's rows in the table ``rows``, numbered from 1."""
    connection = duckdb.connect()
    numbered = f"select row_number() over () as row, * from {READERS[path.suffix]}"  # noqa: S608 - from above
    connection.execute(f"create table rows as {numbered}", [str(path)])
    return connection


def run(path: Path) -> Places:
    """Rows without an id or an input, and rows that share an id: one query over the table."""
    return [row for (row,) in load(path).execute(FAULTS).fetchall()]

"""A file through frictionless, its schema with required and unique ids."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from frictionless import Detector, Resource, Schema, fields

from benchmarks.programs import Places

NON_BLANK = r"[\s\S]*\S[\s\S]*"  # a pattern here has to match the whole cell
NO_LIMIT = 1_000_000_000  # by default it stops at 1000 errors
ANY = {".csv": fields.StringField, ".jsonl": fields.AnyField}


def _schema(suffix: str) -> Schema:
    required: dict[str, Any] = {"required": True, "pattern": NON_BLANK}
    others = [ANY[suffix](name=name) for name in ("expected", "split", "slice", "tags", "metadata")]
    id_field = fields.StringField(name="id", constraints={**required, "unique": True})
    return Schema(fields=[id_field, fields.StringField(name="input", constraints=required), *others])


def run(path: Path) -> Places:
    """Row numbers of all errors, as frictionless counts them."""
    present = Detector(schema_sync=True)  # columns that the file lacks are no error
    resource = Resource(
        path=path.name, basepath=str(path.parent), schema=_schema(path.suffix), detector=present
    )
    report = resource.validate(limit_errors=NO_LIMIT)
    return [row for (row,) in report.flatten(["rowNumber"])]

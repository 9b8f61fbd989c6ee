"""What the proof of each vendor shares: where its files are, how a client is run, what one gives back."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Record = dict[str, Any]
HERE = Path(__file__).parent


class ProofError(Exception):
    """A client did not take the export, or told something else of it than the set says."""


@dataclass(frozen=True)
class Held:
    """What one client gives back.

    Attributes:
        client: Its name and version.
        how: The calls or commands, as a reader of the matrix knows them.
        file: What it wrote: the importer reads it.
        sent: The records of the export, by the ids of their rows.
        held: What the client made of each, in the same form.
    """

    client: str
    how: str
    file: Path
    sent: dict[str, Record]
    held: dict[str, Record]


@dataclass(frozen=True)
class Work:
    """Where a proof finds and puts its files.

    Attributes:
        tools: The clients' environments.
        rows: The golden set, as JSON Lines.
        export: The folder of the export.
        out: A folder for what the client writes.
    """

    tools: Path
    rows: Path
    export: Path
    out: Path

    def run(
        self, command: Sequence[str | Path], variables: Mapping[str, str], cwd: Path | None = None
    ) -> str:
        """Run a client's command; return what it printed.

        Raises:
            ProofError: It did not end with 0.
        """
        path = f"{self.tools}/node/bin:/usr/local/bin:/usr/bin:/bin"
        home = self.out / "home"
        home.mkdir(exist_ok=True)
        environment = {"PATH": path, "HOME": str(home), "LANG": "C.UTF-8", **variables}
        done = subprocess.run(
            list(map(str, command)),
            cwd=cwd or self.out,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=240,
        )
        if done.returncode:
            raise ProofError(f"{command[0]} ended with {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def python(self, vendor: str, arguments: Sequence[str | Path], variables: Mapping[str, str]) -> str:
        """Run one vendor's script with the Python that has the client; return its name and version."""
        script = HERE / f"{vendor}_client.py"
        python = self.tools / vendor / "bin" / "python"
        printed = self.run([python, script, *arguments], variables)
        return printed.splitlines()[-1]


def lines(path: Path) -> list[Any]:
    """The values of a file of JSON Lines."""
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


def told(record: Record) -> Record:
    """A record without the fields that were not given."""
    return {name: value for name, value in record.items() if value is not None}


def by_id(records: Iterable[Record], *path: str) -> dict[str, Record]:
    """Records by the ids of their rows, which stand at a path of keys; none given: at ``id``.

    Raises:
        ProofError: Two records have one id.
    """
    found: dict[str, Record] = {}
    for record in records:
        at: Any = record
        for key in path or ("id",):
            at = at[key]
        if at in found:
            raise ProofError(f"two records of one row: {at}")
        found[at] = record
    return found


def check_requests(unknown: list[str]) -> None:
    """Whether a client asked its loopback server for what that knows.

    Raises:
        ProofError: It asked for more.
    """
    if unknown:
        raise ProofError(f"the client asked for {sorted(set(unknown))}, which the loopback server has not")

"""What LangSmith's client asks of a server when it creates and lists examples.

Examples are kept as they were sent. As the service does, it keeps the split in metadata, as a list under
`dataset_split`, and puts an example that has none into the split "base".
"""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from loopback import Request, Route

Example = dict[str, Any]

_PROJECT = {
    "id": "00000000-0000-4000-8000-000000000001",
    "tenant_id": "00000000-0000-4000-8000-000000000002",
    "name": "p",
    "start_time": "2026-01-01T00:00:00Z",
    "reference_dataset_id": None,
}
"""A client that lists examples asks for a project too, since it names their tenant."""


class LangSmithServer:
    """Datasets in memory."""

    def __init__(self) -> None:
        self.examples: dict[str, dict[str, Example]] = {}

    def routes(self) -> list[Route]:
        """What it answers."""
        return [
            ("GET", "/info", lambda _: {"instance_flags": {"dataset_examples_multipart_enabled": True}}),
            ("POST", "/v1/platform/datasets/([^/]+)/examples", self.create),
            ("GET", "/examples", self.list),
            ("GET", "/sessions", lambda _: [_PROJECT]),
        ]

    def create(self, request: Request) -> Any:
        """Examples in a multipart body, in parts ID, ID.inputs and ID.outputs; the first has the rest."""
        (dataset,) = request.captured
        kept = self.examples.setdefault(dataset, {})
        for name, value in _parts(request):
            identity, _, field = name.partition(".")
            if field:
                kept[identity][field] = value
            else:
                kept[identity] = _example(identity, dataset, value)
        return {"count": len(kept), "example_ids": list(kept)}

    def list(self, request: Request) -> Any:
        """One page of a dataset's examples."""
        start, size = int(request.query["offset"]), int(request.query["limit"])
        return list(self.examples[request.query["dataset"]].values())[start : start + size]


def _example(identity: str, dataset: str, sent: dict[str, Any]) -> Example:
    split = sent.pop("split", None) or "base"
    splits = [split] if isinstance(split, str) else split
    metadata = {**(sent.pop("metadata", None) or {}), "dataset_split": splits}
    created = sent.pop("created_at")
    if sent:
        raise ValueError(f"the client sent more than an example has: {sorted(sent)}")
    return {
        "id": str(UUID(identity)),
        "dataset_id": dataset,
        "created_at": created,
        "modified_at": created,
        "source_run_id": None,
        "inputs": None,
        "outputs": None,
        "metadata": metadata,
    }


def _parts(request: Request) -> list[tuple[str, Any]]:
    boundary = request.content_type.split("boundary=")[1].strip('"').encode()
    pieces = request.body.split(b"--" + boundary)[1:-1]
    return [_part(piece.removeprefix(b"\r\n").removesuffix(b"\r\n")) for piece in pieces]


def _part(piece: bytes) -> tuple[str, Any]:
    head, _, body = piece.partition(b"\r\n\r\n")
    return head.decode().split('name="')[1].split('"')[0], json.loads(body)

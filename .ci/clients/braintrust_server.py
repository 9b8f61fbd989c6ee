"""What Braintrust's clients ask of a server when they create a dataset, fill it and read it.

Records are kept as they were sent, and come back as the service gives them: with its own fields beside, and
null where nothing was sent.
"""

from __future__ import annotations

from typing import Any

from loopback import Request, Route

Record = dict[str, Any]

SENT = ("id", "input", "expected", "metadata", "tags", "origin", "created")
"""The fields of a record that a client may send, beside where it belongs and what the log needs."""
_OF_THE_LOG = ("dataset_id", "project_id", "span_id", "root_span_id")
_ORGANISATION = "test-org"
_PROJECT = "00000000-0000-4000-8000-000000000000"


class BraintrustServer:
    """Projects and datasets in memory."""

    def __init__(self) -> None:
        self.address = ""
        """Where it can be reached; clients ask it."""
        self.projects: list[Record] = [{"id": _PROJECT, "name": "p", "org_id": _ORGANISATION}]
        self.datasets: list[Record] = []
        self.records: dict[str, dict[str, Record]] = {}

    def routes(self) -> list[Route]:
        """What it answers."""
        return [
            ("POST", "/api/apikey/login", self.login),
            ("GET", "/version", lambda _: {}),
            ("GET", "/v1/project", lambda request: _named(self.projects, request)),
            ("POST", "/v1/project", lambda request: self.create(self.projects, request)),
            ("GET", "/v1/dataset", lambda request: _named(self.datasets, request)),
            ("POST", "/v1/dataset", lambda request: self.create(self.datasets, request)),
            ("POST", "/logs3", self.log),
            ("POST", "/btql", lambda request: {"data": self.rows(_queried(request)), "cursor": None}),
            (
                "POST",
                "/v1/dataset/([^/]+)/fetch",
                lambda request: {"events": self.rows(request.captured[0]), "cursor": None},
            ),
        ]

    def login(self, _: Request) -> Any:
        """Any key opens the one organisation."""
        return {"org_info": [{"id": "org", "name": _ORGANISATION, "api_url": self.address}]}

    def create(self, things: list[Record], request: Request) -> Record:
        """A project or a dataset; the one of that name where there is one."""
        asked = request.json
        for thing in things:
            if thing["name"] == asked["name"]:
                return thing
        number = len(self.projects) + len(self.datasets)
        identity = f"00000000-0000-4000-8000-{number:012}"
        owner = {"org_id": "org", "project_id": asked.get("project_id")}
        things.append({"id": identity, "name": asked["name"], "created": "2026-01-01T00:00:00Z", **owner})
        return things[-1]

    def log(self, request: Request) -> Any:
        """Records of any datasets."""
        for sent in request.json["rows"]:
            unknown = set(sent) - {*SENT, *_OF_THE_LOG}
            if unknown:
                raise ValueError(f"the client sent more than a record has: {sorted(unknown)}")
            record = {name: sent.get(name) for name in SENT}
            self.records.setdefault(sent["dataset_id"], {})[sent["id"]] = record
        return {"ids": [sent["id"] for sent in request.json["rows"]]}

    def rows(self, dataset: str) -> list[Record]:
        """A dataset's records as the service gives them."""
        return [
            {
                **record,
                "_xact_id": "1000192656880881099",
                "_pagination_key": f"p{number:08}",
                "dataset_id": dataset,
                "project_id": self.projects[0]["id"],
                "span_id": record["id"],
                "root_span_id": record["id"],
                "is_root": True,
            }
            for number, record in enumerate(self.records.get(dataset, {}).values())
        ]


def _named(things: list[Record], request: Request) -> Any:
    wanted = request.query.get("project_name") or request.query.get("dataset_name")
    return {"objects": [thing for thing in things if wanted in (None, thing["name"])]}


def _queried(request: Request) -> str:
    """The dataset that a query reads: the argument of the function in its `from`."""
    (argument,) = request.json["query"]["from"]["args"]
    return str(argument["value"])

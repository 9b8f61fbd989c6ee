"""A small JSON server on the loopback interface, for clients that cannot work without one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit


@dataclass(frozen=True)
class Request:
    """What a client asked for."""

    query: dict[str, str]
    body: bytes
    content_type: str
    captured: tuple[str, ...]
    """The groups of the route's pattern."""

    @property
    def json(self) -> Any:
        """The body, parsed."""
        return json.loads(self.body)


Route = tuple[str, str, Callable[[Request], Any]]
"""Method, a pattern that the whole path has to match, and what answers with a JSON value."""


@contextmanager
def serve(routes: Sequence[Route]) -> Iterator[tuple[str, list[str]]]:
    """Answer on a free port while the block runs.

    Yields:
        The server's address, and the list of the requests that no route knew, which grows as they come.
    """
    unknown: list[str] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(routes, unknown))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", unknown
    finally:
        server.shutdown()
        server.server_close()


def _handler(routes: Sequence[Route], unknown: list[str]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            url = urlsplit(self.path)
            body = _body(self)
            for method, pattern, route in routes:
                match = re.fullmatch(pattern, url.path)
                if method == self.command and match:
                    query = {name: values[-1] for name, values in parse_qs(url.query).items()}
                    kind = self.headers.get("Content-Type", "")
                    return self.reply(200, route(Request(query, body, kind, match.groups())))
            unknown.append(f"{self.command} {url.path}")
            return self.reply(404, {"error": "no such route"})

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer  # noqa: N815 (names of the base class)

        def reply(self, status: int, value: Any) -> None:
            body = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the base class's)
            """Nothing: the caller looks at what was asked."""

    return Handler


def _body(handler: BaseHTTPRequestHandler) -> bytes:
    if handler.headers.get("Transfer-Encoding", "").lower() != "chunked":
        return handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
    chunks = []
    while size := int(handler.rfile.readline().split(b";")[0], 16):
        chunks.append(handler.rfile.read(size))
        handler.rfile.readline()
    handler.rfile.readline()
    return b"".join(chunks)

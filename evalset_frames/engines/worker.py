"""A worker process: takes jobs on standard input, gives results on standard output.

It is started as a plain process, so it needs no fork, no ``__main__`` of the caller's, no shared memory
and no semaphores; and it imports what a job needs, which is not Polars.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import struct
import sys
from importlib import import_module
from typing import Any, BinaryIO

HEAD = struct.Struct("<q")


def read_message(stream: BinaryIO) -> Any:
    """One pickled message.

    Raises:
        EOFError: The stream ended.
    """
    size = HEAD.unpack(_exactly(stream, HEAD.size))[0]
    return pickle.loads(_exactly(stream, size))  # noqa: S301 - both ends are ours, over a private pipe


def write_message(stream: BinaryIO, message: Any) -> None:
    """Write one pickled message."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    stream.write(HEAD.pack(len(data)))
    stream.write(data)
    stream.flush()


def _exactly(stream: BinaryIO, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data


def main() -> None:
    """Serve jobs until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the caller's to handle: it ends its workers
    jobs, results = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints by mistake must not get between the results
    gc.disable()
    while True:
        try:
            home, name, arguments = read_message(jobs)
        except EOFError:
            return
        try:
            write_message(results, _answer(home, name, arguments))
        except BrokenPipeError:  # the caller was killed: nobody is left to tell
            os._exit(1)


def _answer(home: str, name: str, arguments: tuple[Any, ...]) -> tuple[bool, Any]:
    try:
        return True, getattr(import_module(home), name)(*arguments)
    except Exception as error:  # noqa: BLE001 - every failure is told to the caller, who raises it
        return False, error

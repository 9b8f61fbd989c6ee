"""Sources behind a URI: found and opened through Arrow's file systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evalset_frames.errors import SourceError
from evalset_frames.sources.trouble import explain, first_line

_SCHEMES = "file://, s3://, gs://, abfss:// and hdfs://"


@dataclass(frozen=True, slots=True)
class Remote:
    """A file on a file system that Arrow knows.

    Attributes:
        system: A ``pyarrow.fs.FileSystem``.
        path: The file's path there.
        size: Its bytes, None where the system does not say.
        changed: When it was changed last, in nanoseconds; None where the system does not say.
    """

    system: Any
    path: str
    size: int | None
    changed: int | None

    def stream(self) -> Any:
        """Open it to be read from its beginning, as it is stored."""
        return self.system.open_input_stream(self.path, compression=None)

    def random(self) -> Any:
        """Open it to be read anywhere."""
        return self.system.open_input_file(self.path)


def resolve(uri: str) -> Remote:
    """Find the file that a URI names.

    Raises:
        SourceError: The URI is broken, or names no file that can be reached.
    """
    from pyarrow import fs  # noqa: PLC0415 - local files need none of it

    try:
        system, path = fs.FileSystem.from_uri(uri)
        info = system.get_file_info(path)
    except OSError as error:
        raise explain(uri, error) from error
    except (ValueError, NotImplementedError, ImportError) as error:  # ArrowInvalid; a scheme's module
        why = f"cannot be used as a URI ({first_line(error)})"
        raise SourceError(uri, why, f"URIs begin with {_SCHEMES}") from error
    if info.type == fs.FileType.Directory:
        raise explain(uri, IsADirectoryError())
    if info.type == fs.FileType.NotFound:
        raise explain(uri, FileNotFoundError())
    return Remote(system, path, info.size, info.mtime_ns)

"""JupyterLab, started for as long as it is looked at."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SECONDS_TO_START = 90
QUIET = (
    "--allow-root",
    "--no-browser",
    "--ServerApp.ip=127.0.0.1",
    "--IdentityProvider.token=",  # nobody but this machine can reach it
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/api/status", timeout=5):  # noqa: S310 (our own server)
            return True
    except (urllib.error.URLError, OSError):
        return False


def _end(server: subprocess.Popen[bytes]) -> None:
    """Ask it to end, and end it with its kernels where it waits for a kernel that is still starting."""
    server.terminate()
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


@contextmanager
def jupyter_lab(folder: Path, own: Path, theme: str) -> Iterator[str]:
    """The address of a JupyterLab that shows `folder`; its settings and state are in `own`."""
    settings = own / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "themes.jupyterlab-settings").write_text(f'{{"theme": "{theme}"}}', encoding="utf-8")
    (settings / "notification.jupyterlab-settings").write_text('{"fetchNews": "false"}', encoding="utf-8")
    places = {
        "JUPYTERLAB_SETTINGS_DIR": own / "settings",
        "JUPYTERLAB_WORKSPACES_DIR": own / "workspaces",
        "JUPYTER_CONFIG_DIR": own / "config",
        "JUPYTER_DATA_DIR": own / "data",
        "JUPYTER_RUNTIME_DIR": own / "runtime",
        "IPYTHONDIR": own / "ipython",
    }
    port = _free_port()
    log = own / "lab.log"
    with log.open("wb") as told:
        server = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "jupyterlab",
                *QUIET,
                f"--ServerApp.port={port}",
                f"--ServerApp.root_dir={folder}",
            ],
            env=os.environ | {name: str(place) for name, place in places.items()},
            stdout=told,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            url = f"http://127.0.0.1:{port}"
            patience = time.monotonic() + SECONDS_TO_START
            while not _answers(url):
                if server.poll() is not None or time.monotonic() > patience:
                    raise SystemExit(f"JupyterLab does not start:\n{log.read_text(errors='replace')[-3000:]}")
                time.sleep(0.3)
            yield url
        finally:
            _end(server)

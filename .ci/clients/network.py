"""What a process without a network needs, and the proof that it has none."""

from __future__ import annotations

import fcntl
import socket
import struct

_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 1
_ELSEWHERE = ("192.0.2.1", 443)
"""An address kept for documentation: nobody answers there, but a network would try."""


def raise_loopback() -> None:
    """Switch on the loopback interface of a new network namespace."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        request = struct.pack("16sH14s", b"lo", 0, b"")
        _, flags, _ = struct.unpack("16sH14s", fcntl.ioctl(asking, _SIOCGIFFLAGS, request))
        fcntl.ioctl(asking, _SIOCSIFFLAGS, struct.pack("16sH14s", b"lo", flags | _IFF_UP, b""))


def is_isolated() -> bool:
    """Whether there is no way to any other machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(_ELSEWHERE)
        except OSError:
            return True
    return False

"""What users call; `evalset_frames` itself gives the same names, imported when first used."""

from evalset_frames.api.checking import check, check_each
from evalset_frames.api.reading import read, scan

__all__ = ["check", "check_each", "read", "scan"]

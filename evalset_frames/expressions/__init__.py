"""Pure Polars expressions: column names in, expressions out."""

from evalset_frames.expressions.keys import duplicate_key

__all__ = ["duplicate_key"]

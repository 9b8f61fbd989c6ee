"""Pure Polars expressions: column names in, expressions out."""

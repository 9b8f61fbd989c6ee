"""Sets written for others to read: canonical Parquet, JSON Lines, CSV."""

"""What was found, told: as text, JSON, CSV, Parquet, HTML and GitHub annotations."""

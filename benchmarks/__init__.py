"""Measurements of this package beside others, on generated golden sets. Run ``python -m benchmarks``."""

"""The ``evalset`` program: the one place that prints, and the one that knows click."""

"""Datasets as objects: immutable sets of cases that filter, sample, shuffle and are written."""

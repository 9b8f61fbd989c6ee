"""What can be wrong with a set: one small function a rule, as data."""

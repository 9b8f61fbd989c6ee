"""Sets in the formats of other tools: located rows, mapped to v1 by tables."""

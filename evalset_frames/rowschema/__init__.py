"""A JSON Schema of one's own, held against rows: keywords compiled to expressions, the rest by jsonschema."""

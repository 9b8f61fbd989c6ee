"""From facts to the result: tallies, ids, findings, tables."""

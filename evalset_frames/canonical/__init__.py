"""From records to the contract's fields: mapping, folding, codes, and the canonical frame."""

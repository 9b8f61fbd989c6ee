"""The contract: a JSON Schema document, read once, from which everything else is derived.

``model`` turns a document into values, ``registry`` finds the documents, ``documents`` runs one on a
single row, ``frame_schema`` compiles one to pandera, ``mapping`` names source columns after fields.
"""

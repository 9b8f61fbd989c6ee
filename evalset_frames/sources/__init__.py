"""From a path, URI, file object or frame to located, exact records; no contract applies yet."""

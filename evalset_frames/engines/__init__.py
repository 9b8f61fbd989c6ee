"""Running the work: in this process, source by source."""

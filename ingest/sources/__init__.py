"""Log sources: one table per file, each named SOURCE."""

"""The live checkers: standard library alone, pure functions, one check per file, each registered in `checks.registry`."""

"""Commands of one kind each, for gatecov.py to put together; thin, as it is."""

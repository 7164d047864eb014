"""The commands, a file each, for gatecov.py to put together; thin, and each imports what it calls when it is called."""

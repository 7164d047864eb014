"""Editing a text file that several people edit at once: one at a time, and never half-written."""

import fcntl
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from storefile import UserError

WAIT_SECONDS = 10.0


class FileBusyError(UserError):
    """Another process keeps the file locked."""


@contextmanager
def locked(path: Path, wait: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold the only right to edit `path`, by a lock file beside it that is gone afterwards.

    Raises FileBusyError, naming the process, when another one keeps it for `wait` seconds.
    """
    lock = path.with_name(f".{path.name}.lock")
    until = time.monotonic() + wait
    while (handle := _try(lock)) is None:
        if time.monotonic() > until:
            raise FileBusyError(f"{path}: it is being edited by process {_holder(lock)}; wait for it, then try again")
        time.sleep(0.01)
    try:
        yield
    finally:
        # Removed while it is still held: whoever waits on this file finds that it is gone, and makes a new one.
        with suppress(OSError):
            lock.unlink()
        os.close(handle)


def _try(lock: Path) -> int | None:
    try:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise UserError(
            f"{lock.parent}: nothing can be written here ({error.strerror}); make the folder, or make it writable"
        ) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(handle).st_ino == os.stat(lock).st_ino:
            os.truncate(handle, 0)
            os.write(handle, str(os.getpid()).encode())
            return handle
    except (BlockingIOError, FileNotFoundError):
        pass
    os.close(handle)
    return None


def _holder(lock: Path) -> str:
    try:
        return lock.read_text(encoding="ascii") or "unknown"
    except (OSError, ValueError):
        return "unknown"


def read_text(path: Path) -> str:
    """The file's text with its line ends as they stand; empty where there is no such file."""
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise UserError(f"{path}: it cannot be read ({error.strerror}); check the name and the permissions") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from error


def replace_text(path: Path, text: str) -> None:
    """Put `text` in the place of the file's content: whole or not at all, on the disk before anyone sees it."""
    if path.is_dir():
        raise UserError(f"{path}: this is a folder; name a file, for example {path / 'summary.json'}")
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
    if not mode & 0o222 or (path.exists() and not os.access(path, os.W_OK)):
        # Replacing needs no right on the file itself, but whoever took that right away meant it.
        raise UserError(f"{path}: the file is read-only, and nothing was changed; make it writable, then try again")
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except FileNotFoundError as error:
        raise UserError(f"{path}: the folder {path.parent} does not exist; make it first, or name another") from error
    except OSError as error:
        raise UserError(f"{path}: it cannot be written ({error.strerror}); make the folder writable") from error
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(text.encode("utf-8"))
            out.flush()
            os.fsync(out.fileno())
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)

# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""A folder of files that are made once, for this user alone: what is loaded from it is run."""

from __future__ import annotations

import contextlib
import hashlib
import os
import pathlib
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator

from juxta.errors import IoError

OTHER = "set JUXTA_CACHE to another folder"
WAIT = 120.0  # seconds for another process that makes the same file
STALE = 24 * 3600.0  # seconds after which what a killed process left is removed


class Cache:
    """Files by name. A file comes into being whole: written beside its place, and renamed."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder

    @classmethod
    def of_user(cls, part: str) -> Cache:
        """``JUXTA_CACHE``, else ``juxta`` in ``XDG_CACHE_HOME`` or in ``~/.cache``."""
        chosen = os.environ.get("JUXTA_CACHE", "")
        if not chosen:
            base = os.environ.get("XDG_CACHE_HOME", "")
            try:
                chosen = os.path.join(base if os.path.isabs(base) else str(pathlib.Path.home() / ".cache"), "juxta")
            except RuntimeError as error:
                raise IoError(f"you have no home folder for a cache ({error}): {OTHER}") from None
        return cls(pathlib.Path(os.path.abspath(chosen)) / part)

    def file(self, name: str, build: Callable[[pathlib.Path], pathlib.Path]) -> pathlib.Path:
        """The file of that name. When there is none, or a damaged one, ``build(folder)`` makes it in a folder of its own
        and returns its path."""
        path = self.folder / name
        try:
            if self._whole(path):
                return path
            self._make_folder()
            with self._lock(name):
                if not self._whole(path):  # another process may have made it
                    self._make(path, build)
        except OSError as error:
            if isinstance(error, IoError):
                raise
            raise IoError(f"the cache {self.folder} cannot be used: {error.strerror or error}. Or {OTHER}") from error
        return path

    def _make_folder(self) -> None:
        os.makedirs(self.folder.parent, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            os.mkdir(self.folder, 0o700)
        self._check_mine(self.folder)

    def _whole(self, path: pathlib.Path) -> bool:
        """Whether the file is there, of this user alone, and has the checksum that was noted."""
        note = path.with_suffix(".sha256")
        try:
            expected = note.read_text(encoding="ascii", errors="replace").strip()
            self._check_mine(self.folder)
            for one in (note, path):
                self._check_mine(one)
            return hashlib.sha256(path.read_bytes()).hexdigest() == expected
        except FileNotFoundError:
            return False

    @staticmethod
    def _check_mine(path: pathlib.Path) -> None:
        found = os.lstat(path)
        if stat.S_ISLNK(found.st_mode):
            raise IoError(f"{path} is a link. What is in the cache is run, so nothing is taken from there: {OTHER}")
        if found.st_uid != os.getuid():
            raise IoError(
                f"{path} belongs to another user (number {found.st_uid}). What is in the cache is run, so nothing is taken "
                f"from there: {OTHER}"
            )
        if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise IoError(
                f"others may write to {path}. What is in the cache is run, so nothing is taken from there: take their right "
                f"(chmod go-w), or {OTHER}"
            )

    def _make(self, path: pathlib.Path, build: Callable[[pathlib.Path], pathlib.Path]) -> None:
        self._remove_stale()
        folder = pathlib.Path(tempfile.mkdtemp(prefix=".making-", dir=self.folder))
        try:
            made = build(folder)
            os.chmod(made, 0o700)
            note = folder / "note"
            note.write_text(hashlib.sha256(made.read_bytes()).hexdigest(), encoding="ascii")
            os.chmod(note, 0o600)
            for one in (made, note):
                with open(one, "rb") as file:
                    os.fsync(file.fileno())
            os.replace(made, path)
            os.replace(note, path.with_suffix(".sha256"))
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _remove_stale(self) -> None:
        for folder in self.folder.glob(".making-*"):
            with contextlib.suppress(OSError):
                if time.time() - folder.stat().st_mtime > STALE:
                    shutil.rmtree(folder, ignore_errors=True)

    @contextlib.contextmanager
    def _lock(self, name: str) -> Iterator[None]:
        """Held while a file is made, so that of many processes one does the work. Without locks, or after a long wait, each
        does it: the file that is renamed last stays, and each is whole."""
        try:
            import fcntl
        except ImportError:
            yield
            return
        handle = os.open(self.folder / f".{name}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            until = time.monotonic() + WAIT
            while time.monotonic() < until:
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    time.sleep(0.02)
                except OSError:
                    break
            yield
        finally:
            os.close(handle)

# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Who shows a world on a server of juxta.view, and how the others have it end."""

from __future__ import annotations

import os
import threading

LOOKS_EVERY = 0.02  # seconds


class Turn:
    """One world on show, from the call that begins it until its thread has left the engine."""

    def __init__(self, started: bool) -> None:
        self.thread = threading.current_thread()  # that of show(); of start(): the caller's until the new one runs
        self.started = started
        self.stopping, self.done = threading.Event(), threading.Event()
        self._pid = os.getpid()

    def going(self, *_: object) -> bool:
        return not self.stopping.is_set()

    def is_own(self) -> bool:
        return self.thread is threading.current_thread()

    def wait(self, waiting: Turn | None) -> None:
        """Until it is done, or `waiting` is to end itself. Not of its own thread, and not of one that a fork left."""
        if self.is_own() or self._pid != os.getpid():
            return
        while not self.done.wait(LOOKS_EVERY if waiting else None):
            if waiting and not waiting.going():
                return
        if self.started and self.thread.is_alive() and not self.is_own():
            self.thread.join()


class Turns:
    """The turns of one server, in the order in which they were asked for. Each waits for all before it, so that at most
    one is inside the engine."""

    def __init__(self) -> None:
        self._all: list[Turn] = []  # calls of list are atomic, so no lock is held where a fork or a signal may come
        self._error: BaseException | None = None
        self._closed = False

    def enter(self, started: bool) -> Turn:
        """From here on end() ends it, even before it has begun."""
        turn = Turn(started)
        self._all.append(turn)
        if self._closed:
            self.leave(turn)
            raise ValueError("this server is closed; make another one")
        return turn

    def leave(self, turn: Turn, error: BaseException | None = None) -> None:
        """`error` is what the next end() raises."""
        self._error = error or self._error
        turn.stopping.set()
        if turn in self._all:  # not twice, when Ctrl-C comes while start() starts its thread
            self._all.remove(turn)
        turn.done.set()

    def ask(self, before: Turn | None = None) -> list[Turn]:
        """All turns are to end, or all before one. Does not wait."""
        turns = list(self._all)
        turns = turns[: turns.index(before)] if before else turns
        for turn in turns:
            turn.stopping.set()
        return turns

    def wait(self, before: Turn | None = None) -> None:
        """As ask(), and waits for those of other threads."""
        for turn in self.ask(before):
            turn.wait(before)

    def end(self, before: Turn | None = None) -> None:
        """As wait(), and raises what went wrong in one."""
        self.wait(before)
        error, self._error = self._error, None
        if error is not None:
            raise error

    def close(self) -> None:
        """As end(), and no turn begins any more."""
        self._closed = True
        self.end()

    def has_own(self) -> bool:
        """The caller is a method of the world on show."""
        return any(turn.is_own() for turn in list(self._all))

    def has_started(self) -> bool:
        return any(turn.started for turn in list(self._all))

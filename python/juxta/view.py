# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""See a world in a browser, and ask a viewer from Python.

>>> import numpy as np, juxta
>>> x, y = np.random.default_rng(1).random((2, 1000), np.float32)
>>> with juxta.view.Server(port=0, paused=True) as server:
...     _ = server.start({"points": {"x": x, "y": y}})
...     server.client.select([0, 0], [1, 1]).found
1000

``docs/python-view.md`` is the guide.
"""

from __future__ import annotations

import atexit
import os
import pathlib
import sys
import threading
import traceback
import warnings
import weakref
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from juxta import _runs
from juxta._view_adapters import things_of, world_of
from juxta._view_client import Client
from juxta._view_rows import Entity, Selection
from juxta._view_source import Source
from juxta._view_turns import Turn, Turns

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["Client", "Entity", "Selection", "Server", "World", "connect", "show", "things_of"]


def _compiled() -> ModuleType:
    """The extension juxta._view, or an ImportError that says how to have one."""
    try:
        from juxta import _view
    except ImportError as error:
        if "cannot import name '_view'" not in str(error) and getattr(error, "name", None) != "juxta._view":
            raise  # a shared library that it needs, for example
        note = pathlib.Path(__file__).with_name("_view_missing.txt")
        why = note.read_text(encoding="utf-8").strip() if note.exists() else "it was built without it"
        raise ImportError(
            f"this installation of juxta has no viewer: {why}. juxta.view.connect works without one. To have it, install "
            "Boost's headers, and npm for the pages (on Debian: scripts/install_packages tool python view). Then install "
            "juxta from a checkout again: CMAKE_ARGS=-DJUXTA_BUILD_VIEW=ON pip install --no-build-isolation ."
        ) from None
    return _view


class World(Protocol):
    """What ``show`` needs of a world of your own. Any object that has these two methods is one.

    It may have more, all of it optional:

    - ``bounds``: (lo, hi), two corners of 2 or 3 finite numbers. Read at the beginning and after a restart. Without it:
      a box around what is there then.
    - ``title`` : str. Without it: the name of the class.
    - ``steps`` : int, the steps that were taken, 0 or more. Without it they are counted.
    - ``parameters``: sliders, a dict of (value, lo, hi), (value, lo, hi, whole, what) or ``juxta.models.Parameter``. They
      are read once, and the viewer keeps their values. A dict with these keys may also have "live": False, for a
      parameter that acts at a restart alone.
    - ``set(name, value)``: changes a parameter at once. Values outside of lo and hi never reach it.
    - ``restart(seed, **parameters)``: begins again. ``seed`` is an int, or None: as you like. It gets all parameters.
    - ``reports()``: dict of numbers, for curves. The names stay the same.
    - ``hash()``: int, a number that the whole state goes into.
    - ``more(group, row)``: dict, what there is to tell of a thing beside its columns. ``group`` is its name.

    ``bounds`` and ``parameters`` may be methods, too. All calls come from one thread, one at a time. When a method
    raises, the page shows the error's text. After an error in ``step``, or in what is read after it (``things``,
    ``reports``, ``steps``), the world is paused, and the traceback is on stderr.
    """

    def things(self) -> Mapping[str, Mapping[str, Any]]:
        """What there is now, by the names of its groups. It is called once after each step.

        Returns
        -------
        dict of dict
            Of each group, arrays of shape (n,) of any real type:

            - "x", "y", and "z" in 3D.
            - "heading", optional: a tuple of two or three arrays, of any length, such as velocities.
            - "sizes", optional: the length of each thing.
            - "columns", optional: a dict of arrays, to colour by and to read.
            - "ids", optional: whole numbers that name a thing for as long as it lives. Without them its row does.

            How it looks is read in the first call alone: "mark" ("dot", "dart", "ship", "streak", "ball", "rock" or
            "turret"), "size" (length in units of the world; 0: a few pixels), "colour" (the column to colour by at first)
            and "classes" (names of the values 0, 1, 2 ... of that column, when they are kinds).

            Groups and the names of their columns stay as in the first call; n may change. Contiguous arrays of float32
            are borrowed until the next step, others are converted (columns also stay float64, uint8, int32 and uint32).
            Change them in ``step`` alone.
        """

    def step(self) -> object:
        """The next step. What it returns does not matter."""


def _source_of(
    world: Any, title: str | None, step: Callable[[], object] | None, speed: float, threads: int | None
) -> Source:
    """A world as the server reads it, checked: what is wrong with it is raised here, before anybody looks."""
    if title is not None:
        _runs.text(title, "title")
    source = Source(world_of(world, step, threads), title, step if hasattr(world, "things") else None, speed)
    source.state()
    return source


class Server:
    """Serves worlds to browsers and programs, one after the other.

    Use it with ``with``: at its end the world stops and the port is free again.

    Parameters
    ----------
    port : int
        0: any that is free. ``url`` tells.
    address : str
        An IP address. Elsewhere than on this machine a token is needed.
    token : str
        What a page must know: up to 128 letters, digits, "-" and "_".
    paused : bool
        Worlds wait for somebody to press play.
    threads : int, optional
        Of the engine, to copy what it sends. 0: as many as this process may use.

    Raises
    ------
    juxta.errors.IoError
        The port is taken, or there is no right to it.
    ImportError
        This installation was built without the viewer.
    """

    def __init__(
        self,
        *,
        port: int = 8080,
        address: str = "127.0.0.1",
        token: str = "",
        paused: bool = False,
        threads: int | None = None,
    ) -> None:
        number = _runs.whole(port, "port", 0, 65535)
        self._threads = None if threads is None else _runs.whole(threads, "threads", 0, 1024)
        try:
            self._core = _compiled().Server(
                _runs.text(address, "address"), number, _runs.text(token, "token"), bool(paused)
            )
        except OSError as error:
            raise type(error)(f"{error}: give another port=, or port=0 for one that is free") from None
        #: str: the address for a browser, with the token when there is one.
        self.url: str = self._core.url()
        #: int: where it listens.
        self.port: int = self._core.port()
        #: Client: asks this server. Not from inside of a world's methods, which the answer would wait for.
        self.client = Client(self.url)
        self._turns = Turns()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<juxta.view.Server at {self.url}>"

    def show(
        self,
        world: Any,
        *,
        title: str | None = None,
        step: Callable[[], object] | None = None,
        speed: float = 60,
    ) -> None:
        """Shows a world until Ctrl-C, or until another thread calls ``stop``. Parameters are those of
        ``juxta.view.show``."""
        turn = self._enter()
        try:
            self._show(turn, _source_of(world, title, step, speed, self._threads))
        finally:
            self._turns.leave(turn)

    def _enter(self, started: bool = False) -> Turn:
        if self._turns.has_own() and not started:
            raise RuntimeError(f"{self!r} shows a world whose method called show. Call start there, or show elsewhere")
        _used.add(self)
        return self._turns.enter(started)

    def _show(self, turn: Turn, source: Source) -> None:
        self._turns.end(before=turn)
        try:
            if turn.going():
                self._core.show(source, self._threads, turn.going)
        except KeyboardInterrupt:
            pass  # the way to end it

    def start(
        self,
        world: Any,
        *,
        title: str | None = None,
        step: Callable[[], object] | None = None,
        speed: float = 60,
    ) -> Server:
        """Shows a world from a thread of its own, and returns at once. The world's methods are called from that thread.
        What was shown before stops. Parameters are those of ``juxta.view.show``.

        Returns
        -------
        Server
            This one.
        """
        turn = self._enter(started=True)
        try:
            source = _source_of(world, title, step, speed, self._threads)
            self._turns.end(before=turn)
            thread = threading.Thread(target=self._run, args=(turn, source), name="juxta.view", daemon=True)
            thread.start()
        except BaseException:
            self._turns.leave(turn)
            raise
        turn.thread = thread
        return self

    def _run(self, turn: Turn, source: Source) -> None:
        turn.thread = threading.current_thread()
        error: BaseException | None = None
        try:
            self._turns.wait(before=turn)  # for a world whose own method called start
            if turn.going():
                self._core.show(source, self._threads, turn.going)
        except BaseException as raised:
            error = raised
        self._turns.leave(turn, error)

    @property
    def running(self) -> bool:
        """bool: a thread that ``start`` made shows a world."""
        return self._turns.has_started()

    def stop(self) -> None:
        """Ends what is shown, after the step that is under way. The server still listens.

        Waits until it has ended, unless a method of the world on show calls it. Raises what ended it before, if that
        was an error.
        """
        self._turns.end()

    def close(self) -> None:
        """Ends what is shown, and closes all connections."""
        if self._turns.has_own():
            self._turns.ask()
            raise RuntimeError(f"{self!r} shows a world whose method called close. It stops. Call close elsewhere")
        try:
            self._turns.close()
        finally:
            self._core.close()


_used: weakref.WeakSet[Server] = weakref.WeakSet()


def _stop_used() -> None:
    """At the end of the program: a thread that is inside the engine must not meet an interpreter that is gone."""
    servers = list(_used)
    for server in servers:
        server._turns.ask()
    for server in servers:
        try:
            server.stop()
        except BaseException as error:
            traceback.print_exception(type(error), error, error.__traceback__)


atexit.register(_stop_used)


def _open_browser(url: str) -> None:
    """Where there is a screen. Without one, webbrowser may start a browser of text in this terminal."""
    import webbrowser  # it loads what nothing else here needs

    if sys.platform != "linux" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(url)


def show(
    world: Any,
    *,
    title: str | None = None,
    step: Callable[[], object] | None = None,
    speed: float = 60,
    port: int = 8080,
    address: str = "127.0.0.1",
    token: str = "",
    paused: bool = False,
    open_browser: bool = True,
    threads: int | None = None,
) -> None:
    """Shows a world in a browser until Ctrl-C, and answers questions of other programs. Prints the address.

    Parameters
    ----------
    world : World, dict, Flock, Simulation, Population, models.Run or sector.Battle
        Your own (see ``World``), a dict of groups as ``World.things`` returns it, or something of juxta's.
    title : str, optional
        Of the page.
    step : callable, optional
        Called for each step in place of the world's own. A Simulation and a Population have none of their own; it ends
        with ``end_step()`` where agents are born or die.
    speed : float
        Steps a second at first. 0: as fast as it can.
    port : int
        0: any that is free.
    address : str
        An IP address. Elsewhere than on this machine a token is needed.
    token : str
        What a page must know: up to 128 letters, digits, "-" and "_".
    paused : bool
        The world waits for somebody to press play.
    open_browser : bool
        Opens the page, where there is a screen.
    threads : int, optional
        Of the engine and of juxta's own worlds. 0: as many as this process may use.

    Raises
    ------
    ValueError, TypeError
        The world gives something that cannot be shown. The message names the group and the array.
    juxta.errors.IoError
        The port is taken, or there is no right to it.
    ImportError
        This installation was built without the viewer.
    """
    _compiled()
    source = _source_of(world, title, step, speed, threads)
    with Server(port=port, address=address, token=token, paused=paused, threads=threads) as server:
        print(server.url, flush=True)
        if not _compiled().has_pages():
            warnings.warn(
                "this build of the viewer has no pages, for there was no npm. It answers questions alone", stacklevel=2
            )
        elif open_browser:
            _open_browser(server.url)
        turn = server._enter()
        try:
            server._show(turn, source)
        finally:
            server._turns.leave(turn)


def connect(url: str, token: str = "", timeout: float = 30) -> Client:
    """A client for a viewer: one of ``juxta view``, of this module, or of a C++ program.

    Parameters
    ----------
    url : str
        The address that it printed. It may hold the token.
    token : str
        What the viewer demands.
    timeout : float
        Seconds that a question may take. Steps and restarts may take longer.

    Returns
    -------
    Client

    Raises
    ------
    juxta.errors.IoError
        There is no viewer at the address, or it demands another token.
    """
    client = Client(url, token, timeout)
    client.info()
    return client

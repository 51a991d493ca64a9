# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Questions to a viewer, over HTTP. No package beside NumPy is needed."""

from __future__ import annotations

import json
import time
import urllib.parse
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from juxta import _runs
from juxta._view_rows import Entity, Selection, corner, field_names, points_of, rect_of, rows_of
from juxta.errors import InvalidArgument, IoError

MOST_ROWS = 10_000
BUSY, BUSY_SECONDS = 503, 3.0


class Client:
    """Asks a viewer that runs in this process or another. ``juxta.view.connect`` makes one.

    Any number of threads may ask with one client.

    Raises
    ------
    juxta.errors.InvalidArgument
        In any call: the viewer cannot answer, and the message says why.
    juxta.errors.IoError
        In any call: there is no viewer at the address, or it demands another token.
    """

    def __init__(self, url: str, token: str = "", timeout: float = 30) -> None:
        parts = urllib.parse.urlsplit(_runs.text(url, "url"))
        if parts.scheme != "http" or not parts.netloc:
            raise ValueError(f"url is {url!r}. Give what the viewer printed, such as http://127.0.0.1:8080/")
        self.url = f"http://{parts.netloc}/"
        self._netloc = parts.netloc
        self._token = token or dict(urllib.parse.parse_qsl(parts.query)).get("token", "")
        self._timeout = timeout

    def __repr__(self) -> str:
        return f"<juxta.view.Client of {self.url}>"

    def ask(self, question: str, *, timeout: float | None = -1, **fields: Any) -> dict[str, Any]:
        """Any question of docs/formats/view.md.

        Parameters
        ----------
        question : str
            Its name.
        timeout : float, optional
            Seconds. None: as long as it takes.
        **fields
            Its fields.

        Returns
        -------
        dict
            The answer as it came.
        """
        body = json.dumps(fields).encode()
        seconds = self._timeout if timeout == -1 else timeout
        until = time.monotonic() + BUSY_SECONDS
        while True:
            status, text = self._post(question, body, seconds)
            if status != BUSY or time.monotonic() > until:
                break
            time.sleep(0.05)  # between two worlds that a server shows, nothing is shown
        try:
            answer: dict[str, Any] = json.loads(text)
        except ValueError:
            raise IoError(f"{self.url} is no viewer: it answered {text[:60]!r}") from None
        if status == 200:
            return answer
        said = str(answer.get("error", text))
        raise InvalidArgument(f"{question}: {said}") if status == 400 else IoError(f"{self.url}: {said}")

    def _post(self, question: str, body: bytes, seconds: float | None) -> tuple[int, str]:
        import http.client  # it takes longer to load than all of juxta

        # Straight to the address: a proxy that the environment names is for other hosts.
        connection = http.client.HTTPConnection(self._netloc, timeout=seconds)
        headers = {"Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        try:
            connection.request("POST", "/api/" + urllib.parse.quote(question, safe=""), body, headers)
            reply = connection.getresponse()
            return reply.status, reply.read().decode()
        except ConnectionRefusedError:
            raise IoError(f"there is no viewer at {self.url}: the connection was refused") from None
        except TimeoutError:
            raise IoError(f"{self.url} did not answer {question!r} within {seconds} s") from None
        except (OSError, http.client.HTTPException) as error:
            raise IoError(f"{self.url} did not answer {question!r}: {error or type(error).__name__}") from None
        finally:
            connection.close()

    def info(self) -> dict[str, Any]:
        """What is shown: its kind, title, groups, parameters and so on.

        Returns
        -------
        dict
        """
        return self.ask("info")

    def status(self) -> dict[str, Any]:
        """How it goes: "step", "playing", "steps_per_second", "ended" and so on.

        Returns
        -------
        dict
        """
        return self.ask("status")

    def play(self) -> dict[str, Any]:
        """Lets the world run.

        Returns
        -------
        dict
            The status.
        """
        return self.ask("play")

    def pause(self) -> dict[str, Any]:
        """Stops it between two steps.

        Returns
        -------
        dict
            The status.
        """
        return self.ask("pause")

    def speed(self, steps_per_second: float) -> dict[str, Any]:
        """Limits the steps.

        Parameters
        ----------
        steps_per_second : float
            0: no limit.

        Returns
        -------
        dict
            The status.
        """
        return self.ask("speed", steps_per_second=steps_per_second)

    def step(self, steps: int = 1) -> dict[str, Any]:
        """Some steps, then a pause. Waits as long as they take.

        Parameters
        ----------
        steps : int
            At most 100,000.

        Returns
        -------
        dict
            The status after the last one.
        """
        return self.ask("step", timeout=None, steps=_runs.whole(steps, "steps"))

    def seek(self, step: int) -> dict[str, Any]:
        """Of a recording: goes to its last state at or before a step.

        Parameters
        ----------
        step : int

        Returns
        -------
        dict
            The status there.
        """
        return self.ask("seek", step=_runs.whole(step, "step"))

    def set(self, name: str, value: float) -> dict[str, Any]:
        """Changes a parameter that acts at once.

        Parameters
        ----------
        name : str
        value : float

        Returns
        -------
        dict
            The parameter: "name", "value", "lo", "hi" and so on.
        """
        return self.ask("set", name=name, value=_runs.number(value, name))

    def restart(self, seed: int | None = None, *, set: Mapping[str, float] | None = None) -> dict[str, Any]:
        """Begins again. It plays on or stays paused as before.

        Parameters
        ----------
        seed : int, optional
            Without it: the world's own.
        set : dict of float, optional
            Parameters that change.

        Returns
        -------
        dict
            What is shown, as of ``info``.
        """
        return self.ask("restart", timeout=None, seed=seed, parameters=dict(_runs.settings(set)))

    def hash(self) -> int:
        """A number that the whole state goes into. The page shows it as ``f"{number:016x}"``.

        Returns
        -------
        int
        """
        return int(self.ask("hash")["hash"], 16)

    def history(self, first: int = 0) -> NDArray[Any]:
        """What the world reported, step by step: at most 2,000 rows, of longer runs every second step and so on.

        Parameters
        ----------
        first : int
            The first step to tell of.

        Returns
        -------
        (n,) structured array
            "step" (int64), and a field for each report (float64; NaN where there was no number).
        """
        answer = self.ask("history", **{"from": _runs.whole(first, "first")})
        reports = answer["reports"]
        names = field_names(list(reports), ("step",))
        table = np.zeros(len(answer["steps"]), [("step", "i8"), *((name, "f8") for name in names)])
        table["step"] = answer["steps"]
        for name, values in zip(names, reports.values()):
            table[name] = np.array(values, np.float64)
        return table

    def select(
        self,
        lo: ArrayLike | None = None,
        hi: ArrayLike | None = None,
        *,
        polygon: ArrayLike | None = None,
        matrix: ArrayLike | None = None,
        limit: int = MOST_ROWS,
    ) -> Selection:
        """All things in a box, faces included, or in a polygon on the screen, by the engine: drawn or not.

        Parameters
        ----------
        lo, hi : (2,) or (3,) array_like, optional
            Corners of the box. With two numbers it reaches through all z.
        polygon : (n, 2) array_like, optional
            Corners in clip space divided by w, as a lasso of the page has them.
        matrix : (16,) array_like, optional
            With a polygon: what takes places to clip space, column by column.
        limit : int
            Rows at most, 0 to 10,000. ``found`` counts all.

        Returns
        -------
        Selection
            Rows by the name of their group.
        """
        most = _runs.whole(limit, "limit", 0, MOST_ROWS)
        if (lo is None) != (hi is None) or (lo is None) == (polygon is None):
            raise TypeError("give lo and hi, or a polygon and its matrix")
        if polygon is None:
            assert lo is not None and hi is not None
            first, last = corner(lo, "lo", -np.inf), corner(hi, "hi", np.inf)
            return self._selection(self.ask("select", limit=most, lo=first, hi=last))
        numbers = np.asarray(() if matrix is None else matrix, np.float64).ravel()
        corners = np.asarray(polygon, np.float64)
        return self._selection(self.ask("select", limit=most, matrix=numbers.tolist(), polygon=corners.tolist()))

    def selected(self) -> Selection:
        """What was selected last, in a page or by a program, as it was then.

        Returns
        -------
        Selection
            ``step`` says when.
        """
        return self._selection(self.ask("selected"))

    def _selection(self, answer: dict[str, Any]) -> Selection:
        groups = self._groups()
        rows: list[list[dict[str, Any]]] = [[] for _ in groups]
        for row in answer["rows"]:
            rows[row["group"]].append(row)
        selection = Selection({group["name"]: rows_of(group, own) for group, own in zip(groups, rows)})
        selection.found = answer["found"]
        selection.step, selection.microseconds = answer.get("step"), answer.get("us")
        return selection

    def _groups(self) -> list[dict[str, Any]]:
        info = self.info()
        if "groups" not in info:
            raise InvalidArgument(f"{self.url} shows a {info.get('kind')}, not a world")
        groups: list[dict[str, Any]] = info["groups"]
        return groups

    def entity(self, group: str | int, id: int) -> Entity:
        """One thing with all that there is to tell.

        Parameters
        ----------
        group : str or int
            Its group, by name or number.
        id : int
            The field "id" of its row.

        Returns
        -------
        Entity
            "row", "near" and "more".
        """
        groups = self._groups()
        names = [one["name"] for one in groups]
        if isinstance(group, str) and group not in names:
            raise ValueError(f"there is no group {group!r}. There are: {', '.join(names)}")
        at = names.index(group) if isinstance(group, str) else _runs.whole(group, "group", 0, len(groups) - 1)
        answer = self.ask("entity", group=at, thing=str(_runs.whole(id, "id", 0, 2**64 - 1)))
        near = rows_of(groups[at], answer["near"], ("distance",))
        return Entity(rows_of(groups[at], [answer])[0], near, answer["more"])

    def top(self, rect: ArrayLike, k: int = 20) -> NDArray[Any]:
        """Of a map: the most important points in a rectangle.

        Parameters
        ----------
        rect : (4,) or (2, 2) array_like
            (x0, y0, x1, y1).
        k : int
            At most 10,000.

        Returns
        -------
        (n,) structured array
            "i" (int64, the point's row in its table), "x", "y", "rank" (float64) and "name" (str), the most important
            first.
        """
        return points_of(self.ask("top", rect=rect_of(rect), k=_runs.whole(k, "k"))["points"])

    def count(self, rect: ArrayLike) -> int:
        """Of a map: how many points are in a rectangle.

        Parameters
        ----------
        rect : (4,) or (2, 2) array_like
            (x0, y0, x1, y1).

        Returns
        -------
        int
        """
        return int(self.ask("count", rect=rect_of(rect))["count"])

    def search(self, text: str, k: int = 20) -> NDArray[Any]:
        """Of a map: points whose names begin with a text or hold it.

        Parameters
        ----------
        text : str
        k : int
            How many at most.

        Returns
        -------
        (n,) structured array
            The fields of ``top``.
        """
        return points_of(self.ask("search", text=_runs.text(text, "text"), k=_runs.whole(k, "k"))["points"])

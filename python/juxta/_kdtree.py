# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""A KDTree with the spelling of SciPy, on top of PointTree."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from juxta._core import PointTree
from juxta._results import Neighbors

if TYPE_CHECKING:
    from collections.abc import Sequence


def _only_euclid(p: float) -> None:
    if p != 2:
        raise ValueError(f"p is {p}. juxta.KDTree has Euclidean distances (p=2) only; scipy.spatial.KDTree has others")


def _check_eps(eps: float) -> None:
    if not eps >= 0:
        raise ValueError(f"eps is {eps}. Give 0 or more; answers are exact, whatever it is")


def _threads(workers: int) -> int:
    if workers == -1:
        return 0
    if workers < 1:
        raise ValueError(f"workers is {workers}. Give a number of threads, or -1 for all")
    return workers


def _radii(r: ArrayLike, shape: tuple[int, ...]) -> Any:
    """One number, or one for each query. PointTree wants more than 0: the least number finds equal points."""
    radii = np.asarray(r, np.float64)
    if not (radii >= 0).all():
        raise ValueError(f"r is {r!r}. Give distances")
    radii = np.where(radii > 0, radii, np.nextafter(0, 1))
    return float(radii) if radii.ndim == 0 else np.broadcast_to(radii, shape).reshape(-1)


def _lists(found: Neighbors) -> list[list[int]]:
    flat, ends = found.j.tolist(), found.offsets.tolist()
    return [flat[first:last] for first, last in zip(ends, ends[1:])]


class KDTree:
    """Points that answer who is near, with the calls of ``scipy.spatial.KDTree``.

    Everything is computed in float64, as SciPy does, and near points are the same ones. What differs: two or three
    dimensions only, Euclidean distances only (``p=2``), answers are always exact (``eps`` is allowed and changes
    nothing), among equally near points the lower number comes first, lists ascend unless a call says otherwise, and
    with ``boxsize`` points outside the box are brought back into it instead of being refused.
    ``juxta.PointTree`` and ``juxta.neighbors`` do more: float32, displacements, compressed rows, a radius for each
    query.

    Parameters
    ----------
    data : (n, m) array of float64
        Points, m = 2 or 3. Finite. They are copied into the tree, and ``data`` keeps them too.
    leafsize, compact_nodes, balanced_tree : ignored
        SciPy has them; they change no answer here.
    copy_data : bool
        False: ``data`` is the array that was given, if it is float64 and C-contiguous.
    boxsize : float or (m,) array, optional
        Lengths of periodic axes that begin at 0; 0: not periodic.
    """

    data: NDArray[np.float64]
    n: int
    m: int
    leafsize: int
    boxsize: NDArray[np.float64] | None
    maxes: NDArray[np.float64]
    mins: NDArray[np.float64]

    def __init__(
        self,
        data: ArrayLike,
        leafsize: int = 10,
        compact_nodes: bool = True,
        copy_data: bool = False,
        balanced_tree: bool = True,
        boxsize: ArrayLike | None = None,
    ) -> None:
        given = np.asarray(data)
        if given.dtype.kind == "c":
            raise TypeError("data holds complex numbers. Points have real coordinates")
        if leafsize < 1:
            raise ValueError(f"leafsize is {leafsize}. Give 1 or more; it changes nothing here")
        self.data = np.array(given, np.float64, order="C") if copy_data else np.ascontiguousarray(given, np.float64)
        if self.data.ndim != 2 or self.data.shape[1] not in (2, 3):
            raise ValueError(
                f"data has shape {given.shape}. juxta.KDTree takes (n, 2) or (n, 3); scipy.spatial.KDTree takes more"
            )
        self.n, self.m = self.data.shape
        self.leafsize = leafsize
        self.boxsize = None
        if boxsize is None:
            self._tree = PointTree(self.data)
        else:
            self.boxsize = np.broadcast_to(np.asarray(boxsize, np.float64), (self.m,)).copy()
            if not (self.boxsize >= 0).all():
                raise ValueError(f"boxsize is {boxsize!r}. Give lengths, or 0 where an axis is not periodic")
            self._tree = PointTree(self.data, box=self.boxsize, periodic=self.boxsize > 0)
        # Column by column: along rows of two or three numbers NumPy takes ten times as long.
        columns = self.data.T if self.n else np.zeros((self.m, 1))
        self.maxes = np.array([column.max() for column in columns])
        self.mins = np.array([column.min() for column in columns])

    def __repr__(self) -> str:
        return f"<juxta.KDTree of {self.n} points in {self.m}D>"

    def _rows(self, x: ArrayLike) -> tuple[NDArray[np.float64], tuple[int, ...]]:
        """Queries as (q, m), and the shape that answers have."""
        given = np.asarray(x)
        if given.dtype.kind == "c":
            raise TypeError("x holds complex numbers. Points have real coordinates")
        if given.ndim == 0 or given.shape[-1] != self.m:
            raise ValueError(f"x has shape {given.shape}. This tree has points in {self.m}D: give (..., {self.m})")
        return np.ascontiguousarray(given, np.float64).reshape(-1, self.m), given.shape[:-1]

    def query(
        self,
        x: ArrayLike,
        k: int | Sequence[int] = 1,
        eps: float = 0,
        p: float = 2,
        distance_upper_bound: float = np.inf,
        workers: int = 1,
    ) -> tuple[Any, Any]:
        """The k nearest points of the tree.

        Parameters
        ----------
        x : (..., m) array
            Points to look from.
        k : int or sequence of int
            How many; or which ones, counted from 1.
        eps : float
            Of no effect: answers are exact.
        p : 2
        distance_upper_bound : float
            Points at this distance and beyond are left out.
        workers : int
            Threads; -1: all.

        Returns
        -------
        d : float, or (..., k) array of float64
            Distances, ascending; infinity where there are fewer than k. For ``k=1`` without the last axis.
        i : int, or (..., k) array of intp
            Numbers of points; ``n`` where there are fewer than k.
        """
        _only_euclid(p)
        _check_eps(eps)
        rows, shape = self._rows(x)
        which = None
        if isinstance(k, (int, np.integer)):
            most = int(k)
        else:
            which = np.asarray(k, np.intp)
            if which.ndim != 1 or which.size == 0:
                raise ValueError(f"k is {k}. Give a number, or several in one row")
            most = int(which.max())
        if most < 1 or (which is not None and which.min() < 1):
            raise ValueError(f"k is {k}. The nearest point is number 1")
        if not distance_upper_bound >= 0:
            raise ValueError(f"distance_upper_bound is {distance_upper_bound}. Give a distance")
        found = self._tree.nearest(most, queries=rows, max_distance=distance_upper_bound, threads=_threads(workers))
        i, d = found.j, found.d
        if np.isfinite(distance_upper_bound):
            beyond = d >= distance_upper_bound
            d[beyond] = np.inf
            i[beyond] = self.n
        elif most > self.n:
            i[:, self.n :] = self.n
        if which is not None:
            i, d = i[:, which - 1], d[:, which - 1]
        elif most == 1:
            i, d = i[:, 0], d[:, 0]
            return (d.reshape(shape), i.reshape(shape)) if shape else (float(d[0]), i[0])
        return d.reshape(*shape, d.shape[1]), i.reshape(*shape, i.shape[1])

    def query_ball_point(
        self,
        x: ArrayLike,
        r: ArrayLike,
        p: float = 2.0,
        eps: float = 0,
        workers: int = 1,
        return_sorted: bool | None = None,
        return_length: bool = False,
    ) -> Any:
        """All points of the tree within r.

        Parameters
        ----------
        x : (..., m) array
            Points to look from.
        r : float or array
            Radii, broadcast to the points.
        p, eps, workers : as for ``query``
        return_sorted : bool, optional
            Lists ascend. None: for many points, but not for one.
        return_length : bool
            How many there are, not which.

        Returns
        -------
        list of int, or (...) array of such lists; int or (...) array of intp for ``return_length``
        """
        _only_euclid(p)
        _check_eps(eps)
        rows, shape = self._rows(x)
        radii = _radii(r, shape)
        threads = _threads(workers)
        if return_length:
            counts = self._tree.count(radii, queries=rows, nearest_image=True, threads=threads)
            return counts.reshape(shape) if shape else int(counts[0])
        ordered = bool(shape) if return_sorted is None else bool(return_sorted)
        lists = _lists(
            self._tree.neighbors(radii, "j", queries=rows, sorted=ordered, nearest_image=True, threads=threads)
        )
        if not shape:
            return lists[0]
        answer = np.empty(len(lists), object)
        for place, one in enumerate(lists):
            answer[place] = one
        return answer.reshape(shape)

    def query_ball_tree(self, other: KDTree, r: float, p: float = 2.0, eps: float = 0) -> list[list[int]]:
        """For each point of this tree, all points of the other within r.

        Parameters
        ----------
        other : KDTree
        r : float
        p, eps : as for ``query``

        Returns
        -------
        list of lists of int
        """
        return _lists(self._among(other, r, "j", p, eps))

    def query_pairs(
        self, r: float, p: float = 2.0, eps: float = 0, output_type: Literal["set", "ndarray"] = "set"
    ) -> Any:
        """All pairs of points within r of each other, each once.

        Parameters
        ----------
        r : float
        p, eps : as for ``query``
        output_type : "set" or "ndarray"

        Returns
        -------
        set of (i, j), or (q, 2) array of intp; i < j, and in an order of the tree's
        """
        _only_euclid(p)
        _check_eps(eps)
        if output_type not in ("set", "ndarray"):
            raise ValueError(f"output_type is {output_type!r}. Give 'set' or 'ndarray'")
        pairs = self._tree.pairs(_radii(r, ()), nearest_image=True, threads=1)
        return pairs.T if output_type == "ndarray" else set(zip(*pairs.tolist()))

    def count_neighbors(
        self, other: KDTree, r: ArrayLike, p: float = 2.0, weights: None = None, cumulative: bool = True
    ) -> Any:
        """How many pairs of a point of this tree and a point of the other are within r, equal points included.

        Parameters
        ----------
        other : KDTree
            This tree itself is allowed: then each pair counts twice, and each point with itself once.
        r : float, or array in one row
        p : 2
        weights : None
        cumulative : bool
            False: how many are further than the radius before, and within this one. Radii ascend then.

        Returns
        -------
        int, or array of intp for an array of radii
        """
        if weights is not None:
            raise ValueError("weights are not supported. scipy.spatial.KDTree has them")
        radii = np.asarray(r, np.float64)
        if radii.ndim > 1:
            raise ValueError(f"r has shape {radii.shape}. Give a number, or several in one row")
        if not cumulative and (np.diff(radii) < 0).any():
            raise ValueError("r must ascend when cumulative is False")
        counts = np.array([self._count(other, one, p) for one in radii.reshape(-1)], np.intp)
        if not cumulative:
            counts = np.diff(counts, prepend=0)
        return counts if radii.ndim else int(counts[0])

    def _count(self, other: KDTree, r: float, p: float) -> int:
        self._check_other(other, p)
        if r == np.inf:
            return self.n * other.n
        return int(other._tree.count(_radii(r, ()), queries=self.data, nearest_image=True, threads=1).sum())

    def sparse_distance_matrix(
        self,
        other: KDTree,
        max_distance: float,
        p: float = 2.0,
        output_type: Literal["dok_matrix", "coo_matrix", "dict", "ndarray"] = "dok_matrix",
    ) -> Any:
        """The distances of all pairs of a point of this tree and a point of the other within ``max_distance``.

        Parameters
        ----------
        other : KDTree
        max_distance : float
        p : 2
        output_type : "dok_matrix", "coo_matrix", "dict" or "ndarray"

        Returns
        -------
        matrix of scipy.sparse, dict {(i, j): distance}, or array with the fields "i", "j" and "v"
            In order of (i, j). The matrices need SciPy.
        """
        if output_type not in ("dok_matrix", "coo_matrix", "dict", "ndarray"):
            raise ValueError(f"output_type is {output_type!r}. Give 'dok_matrix', 'coo_matrix', 'dict' or 'ndarray'")
        found = self._among(other, max_distance, "ijd", p, 0)
        if output_type == "dict":
            return dict(zip(zip(found.i.tolist(), found.j.tolist()), found.d.tolist()))
        if output_type == "ndarray":
            entries = np.empty(len(found.i), [("i", np.intp), ("j", np.intp), ("v", np.float64)])
            entries["i"], entries["j"], entries["v"] = found.i, found.j, found.d
            return entries
        matrix = importlib.import_module("scipy.sparse").coo_matrix((found.d, (found.i, found.j)), (self.n, other.n))
        return matrix if output_type == "coo_matrix" else matrix.todok()

    def _among(self, other: KDTree, r: float, quantities: str, p: float, eps: float) -> Neighbors:
        _check_eps(eps)
        self._check_other(other, p)
        return other._tree.neighbors(_radii(r, ()), quantities, queries=self.data, nearest_image=True, threads=1)

    def _check_other(self, other: KDTree, p: float) -> None:
        _only_euclid(p)
        if not isinstance(other, KDTree):
            raise TypeError(f"other is {other!r}. Give a juxta.KDTree")
        if other.m != self.m:
            raise ValueError(f"other has points in {other.m}D, and this tree in {self.m}D")
        own, others = (np.zeros(self.m) if one.boxsize is None else one.boxsize for one in (self, other))
        if not np.array_equal(own, others):
            raise ValueError(f"boxsize is {own} here and {others} of other. Both trees must have the same")

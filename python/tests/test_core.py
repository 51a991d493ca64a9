# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What all calls have in common: conversion, errors, threads, progress, Ctrl-C, calls at once."""

import io
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import juxta
from juxta._progress import Display


def some_points(n, dtype=np.float32, seed=1):
    rng = np.random.default_rng(seed)
    return rng.random(n).astype(dtype), rng.random(n).astype(dtype), rng.integers(0, 1000, n).astype(np.int32)


class TestConversion:
    x, y, rank = some_points(1000)
    want = juxta.RankedPoints(x, y, rank).top([0.2, 0.2, 0.8, 0.7], 50)

    @pytest.mark.parametrize(
        "columns",
        [
            lambda x, y, r: (x.tolist(), y.tolist(), r.tolist()),
            lambda x, y, r: (x.astype(np.float64), y, r.astype(np.int64)),
            lambda x, y, r: (x.astype(">f4"), y.astype(">f8"), r.astype(">i2")),
            lambda x, y, r: (np.repeat(x, 3)[::3], y[::-1][::-1], r.astype(np.float64)),
            lambda x, y, r: (np.stack([x, y], 1)[:, 0], np.stack([x, y], 1)[:, 1], r.astype(np.uint64)),
            lambda x, y, r: (np.frombuffer(b"." + x.tobytes(), dtype=np.uint8)[1:].view(np.float32), y, r),
            lambda x, y, r: (memoryview(x), y.astype(np.longdouble), r.astype(np.float16).astype(np.float32)),
        ],
    )
    def test_columns_of_many_types(self, columns):
        points = juxta.RankedPoints(*columns(self.x, self.y, self.rank))
        assert np.array_equal(points.top([0.2, 0.2, 0.8, 0.7], 50), self.want)

    @pytest.mark.parametrize(
        "rect",
        [
            (0.2, 0.2, 0.8, 0.7),
            [[0.2, 0.2], [0.8, 0.7]],
            ((0.2, 0.2), (0.8, 0.7)),
            (np.array([0.2, 0.2]), [0.8, 0.7]),
            np.array([0.2, 0.2, 0.8, 0.7]),
            np.array([[0.2, 0.2], [0.8, 0.7]]).T.copy().T,
        ],
    )
    def test_one_rectangle_in_many_forms(self, rect):
        points = juxta.RankedPoints(self.x, self.y, self.rank)
        assert np.array_equal(points.top(rect, 50), self.want)
        assert points.count(rect) == np.count_nonzero(
            (self.x >= 0.2) & (self.x <= 0.8) & (self.y >= 0.2) & (self.y <= 0.7)
        )

    @pytest.mark.parametrize(
        "rects",
        [
            np.array([[0.2, 0.2, 0.8, 0.7]] * 3),
            np.array([[[0.2, 0.2], [0.8, 0.7]]] * 3),
            (np.array([[0.2, 0.2]] * 3), np.array([[0.8, 0.7]] * 3)),
            [[0.2, 0.2, 0.8, 0.7]] * 3,
            [((0.2, 0.2), (0.8, 0.7))] * 3,
        ],
    )
    def test_many_rectangles_in_many_forms(self, rects):
        points = juxta.RankedPoints(self.x, self.y, self.rank)
        assert np.array_equal(points.top(rects, 50), [self.want] * 3)

    @pytest.mark.parametrize("rect", [1.0, [1, 2, 3], np.zeros((2, 3)), np.zeros((1, 2, 2, 2)), (1, 2), [[1], [2, 3]]])
    def test_wrong_shapes_are_named(self, rect):
        points = juxta.RankedPoints(self.x, self.y, self.rank)
        with pytest.raises(ValueError, match="rects"):
            points.top(rect, 1)

    @pytest.mark.parametrize("rect", ["abcd", [1j, 2, 3, 4], None, np.zeros(4, "M8[s]"), {"a": 1}, [b"a", b"b"]])
    def test_what_is_no_number_is_a_type_error(self, rect):
        points = juxta.RankedPoints(self.x, self.y, self.rank)
        with pytest.raises(TypeError, match="rects"):
            points.top(rect, 1)

    def test_columns_of_wrong_shapes(self):
        with pytest.raises(ValueError, match=r"x has shape \(2, 2\)"):
            juxta.RankedPoints(np.zeros((2, 2)), [0.0], [1])
        with pytest.raises(juxta.Error) as caught:
            juxta.RankedPoints([0.0], [0.0, 1.0], [1])
        assert caught.value.code == "invalid_argument"

    def test_ranks_that_do_not_fit(self):
        with pytest.raises(ValueError, match="rank holds 18446744073709551615"):
            juxta.RankedPoints([0.0], [0.0], np.array([2**64 - 1], np.uint64))

    def test_k(self):
        points = juxta.RankedPoints(self.x, self.y, self.rank)
        assert len(points.top([0, 0, 1, 1], 0)) == 0
        assert len(points.top([0, 0, 1, 1], 10**15)) == 1000
        assert len(points.top([0, 0, 1, 1], np.int8(3))) == 3
        with pytest.raises(ValueError, match="k is -1"):
            points.top([0, 0, 1, 1], -1)
        with pytest.raises(TypeError, match="k is 1.5"):
            points.top([0, 0, 1, 1], 1.5)

    def test_dtype(self):
        points = juxta.RankedPoints(self.x, self.y, self.rank)
        for dtype in ["uint32", np.uint32, np.dtype("u4")]:
            assert points.top([0, 0, 1, 1], 5, dtype=dtype).dtype == np.uint32
        for dtype in [None, "intp", np.int64]:
            assert points.top([0, 0, 1, 1], 5, dtype=dtype).dtype == np.intp
        with pytest.raises(ValueError, match="int32"):
            points.top([0, 0, 1, 1], 5, dtype="int32")


class TestErrors:
    def test_place_and_kinds(self):
        with pytest.raises(juxta.errors.NotFinite) as caught:
            juxta.RankedPoints([0.0, np.nan], [0.0, 0.0], [1, 2])
        error = caught.value
        assert isinstance(error, juxta.Error) and isinstance(error, ValueError)
        assert (error.code, error.index, error.line, error.byte) == ("not_finite", 1, None, None)
        assert "1" in str(error)

    def test_missing_file_is_an_os_error(self, tmp_path):
        with pytest.raises(OSError) as caught:
            juxta.RankedPoints.load(tmp_path / "none.jxr")
        assert caught.value.code == "io" and "none.jxr" in str(caught.value)

    def test_damaged_file(self, tmp_path):
        path = tmp_path / "points.jxr"
        juxta.RankedPoints([0.0], [0.0], [1]).save(path)
        path.write_bytes(path.read_bytes()[:-70])
        with pytest.raises(juxta.errors.CorruptFile):
            juxta.RankedPoints.load(path)

    def test_key_errors_print_as_sentences(self):
        assert str(juxta.errors.NotFound("Id 3 is dead")) == "Id 3 is dead"

    def test_errors_can_be_pickled(self):
        error = pickle.loads(pickle.dumps(juxta.errors.IoError("disk full")))
        assert isinstance(error, juxta.errors.IoError) and str(error) == "disk full"

    def test_no_init(self):
        points = juxta.RankedPoints.__new__(juxta.RankedPoints)
        for call in [len, repr, lambda p: p.top([0, 0, 1, 1], 1), lambda p: p.rebuild([], [], []), lambda p: p.bounds]:
            with pytest.raises((ValueError, TypeError)):
                call(points)

    def test_subclass_without_init(self):
        class Mine(juxta.RankedPoints):
            def __init__(self):
                pass

        with pytest.raises(TypeError):
            Mine()

    def test_paths(self, tmp_path):
        points = juxta.RankedPoints([0.0], [0.0], [1])
        points.save(os.fsencode(tmp_path / "ä.jxr"))
        assert len(juxta.RankedPoints.load(str(tmp_path / "ä.jxr"))) == 1
        with pytest.raises(TypeError):
            points.save(3)
        with pytest.raises(ValueError):
            points.save("a\0b")


class TestThreads:
    def test_every_number_gives_one_answer(self):
        x, y, rank = some_points(200_000)
        rects = np.random.default_rng(2).random((500, 2, 2))
        rects.sort(axis=1)
        want = juxta.RankedPoints(x, y, rank, threads=1).top(rects, 20, threads=1)
        for threads in [None, 0, 2, 3, 7]:
            got = juxta.RankedPoints(x, y, rank, threads=threads).top(rects, 20, threads=threads)
            assert np.array_equal(got, want)

    @pytest.mark.parametrize("threads", [-1, 1025, 10**30])
    def test_out_of_range(self, threads):
        with pytest.raises(ValueError, match="threads is"):
            juxta.RankedPoints([0.0], [0.0], [1], threads=threads)

    @pytest.mark.parametrize("threads", ["2", 1.5, True, [1]])
    def test_no_number(self, threads):
        with pytest.raises(ValueError, match="threads is"):
            juxta.RankedPoints([0.0], [0.0], [1], threads=threads)

    def test_default(self):
        assert juxta.default_threads() == 1
        juxta.set_default_threads(2)
        try:
            assert juxta.default_threads() == 2
            assert len(juxta.RankedPoints(*some_points(50_000))) == 50_000
        finally:
            juxta.set_default_threads(1)
        assert juxta.usable_threads() >= 1

    def test_forked_child(self):
        """A child has none of its parent's threads: it starts its own."""
        code = (
            "import os, sys, numpy as np, juxta\n"
            "x = np.random.default_rng(1).random(300_000)\n"
            "want = juxta.RankedPoints(x, x, x, threads=4).top([0.1, 0.1, 0.9, 0.9], 9)\n"
            "child = os.fork()\n"
            "got = juxta.RankedPoints(x, x, x, threads=4).top([0.1, 0.1, 0.9, 0.9], 9)\n"
            "same = np.array_equal(got, want)\n"
            "if child == 0: os._exit(0 if same else 3)\n"
            "sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) if same else 4)\n"
        )
        assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0


class TestProgress:
    def test_stages(self):
        seen = []
        juxta.RankedPoints(*some_points(10_000), progress=lambda *report: seen.append(report))
        assert seen[-1][1] == seen[-1][2] > 0
        assert [done for _, done, _ in seen] == sorted(done for _, done, _ in seen)
        assert len({stage for stage, _, _ in seen}) > 3

    def test_false_stops(self):
        with pytest.raises(juxta.errors.Cancelled):
            juxta.RankedPoints(*some_points(10_000), progress=lambda stage, done, total: False)

    def test_exceptions_of_a_callback_arrive(self):
        def fail(stage, done, total):
            raise ZeroDivisionError("mine")

        with pytest.raises(ZeroDivisionError, match="mine"):
            juxta.RankedPoints(*some_points(10_000), progress=fail)

    def test_no_callable(self):
        with pytest.raises(TypeError, match="progress"):
            juxta.RankedPoints(*some_points(10), progress=3)

    def test_display_in_a_terminal(self):
        stream = io.StringIO()
        display = Display(stream, delay=0, notebook=False)
        display("tall tree", 1, 4)
        assert "tall tree  [######" in stream.getvalue() and "25 %" in stream.getvalue()
        display.close()
        assert stream.getvalue().endswith("\r")

    def test_true_is_quiet_when_it_is_quick(self, capfd):
        juxta.RankedPoints(*some_points(10_000), progress=True)
        assert capfd.readouterr().err == ""

    def test_changing_the_object_from_its_own_callback(self):
        points = juxta.RankedPoints(*some_points(10_000))

        def again(stage, done, total):
            points.rebuild([0.0], [0.0], [1])

        with pytest.raises(RuntimeError, match="another call"):
            points.rebuild(*some_points(20_000), progress=again)


class TestInterrupt:
    def test_ctrl_c_stops_a_build(self):
        code = (
            "import numpy as np, juxta, sys\n"
            "x = np.random.default_rng(1).random(4_000_000)\n"
            "print('go', flush=True)\n"
            "try:\n"
            "    while True: juxta.RankedPoints(x, x, x)\n"
            "except KeyboardInterrupt:\n"
            "    print('stopped', flush=True)\n"
        )
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        assert child.stdout.readline() == "go\n"
        time.sleep(0.3)
        began = time.monotonic()
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=30)
        assert out == "stopped\n" and child.returncode == 0
        assert time.monotonic() - began < 15


class TestCallsAtOnce:
    def test_readers_run_at_once_and_the_gil_is_free(self):
        points = juxta.RankedPoints(*some_points(300_000))
        rects = np.tile(np.array([[0.1, 0.1, 0.9, 0.9]]), (20_000, 1))
        ticks = 0
        reader = threading.Thread(target=lambda: points.top(rects, 100))
        reader.start()
        while reader.is_alive():
            points.count([0.4, 0.4, 0.6, 0.6])
            ticks += 1
        assert ticks > 10

    def test_a_change_while_another_call_runs_is_refused(self):
        points = juxta.RankedPoints(*some_points(300_000))
        rects = np.tile(np.array([[0.1, 0.1, 0.9, 0.9]]), (50_000, 1))
        reader = threading.Thread(target=lambda: points.top(rects, 100))
        refused = 0
        reader.start()
        while reader.is_alive():
            try:
                points.rebuild([0.5], [0.5], [1])
                break
            except RuntimeError as error:
                assert "another call is using this object" in str(error)
                refused += 1
        reader.join()
        assert refused > 0
        points.rebuild([0.5], [0.5], [1])
        assert len(points) == 1

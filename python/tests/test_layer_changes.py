# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Layer: boxes that move, come and go; pairs in batches; PairTracker."""

import gc

import numpy as np
import pytest

import juxta
from boxes import as_set, overlap, random_boxes


class TestChanges:
    def test_insert_move_remove(self):
        boxes = random_boxes(200, 3, 30)
        layer = juxta.Layer(boxes)
        ids = layer.insert(random_boxes(50, 3, 31))
        assert ids.dtype == np.uint64 and layer.alive(ids).all() and len(layer) == 250
        bodies = (ids & 0xFFFFFFFF).astype(np.intp)
        assert np.array_equal(layer.ids(bodies), ids)
        moved = random_boxes(50, 3, 32)
        layer.move(ids, moved)
        assert np.array_equal(layer.boxes(bodies), moved)
        layer.remove(ids[:20])
        assert len(layer) == 230 and not layer.alive(ids[:20]).any() and layer.alive(int(ids[20]))
        left = layer.bodies()
        assert len(left) == 230 and np.array_equal(layer.boxes(), layer.boxes(left))
        now = layer.boxes()
        want = {(left[i], left[j]) for i, j in np.argwhere(overlap(now, now)) if i < j}
        assert as_set(layer.find_pairs()) == want
        one = layer.insert(boxes[0])
        assert isinstance(one, int) and layer.alive(one) is True

    def test_all_or_nothing(self):
        layer = juxta.Layer(random_boxes(20, 2, 33))
        ids = layer.ids(np.arange(20))
        before = layer.boxes()
        bad = before.copy()
        bad[7, 0] = np.nan
        with pytest.raises(juxta.errors.NotFinite) as caught:
            layer.move(ids, bad)
        assert caught.value.index == 7
        bad[7] = [[1, 1], [0, 0]]
        with pytest.raises(juxta.errors.InvalidArgument):
            layer.move(ids, bad)
        with pytest.raises(juxta.errors.NotFinite):
            layer.insert([[0, 0], [np.inf, 1]])
        layer.remove(ids[3])
        with pytest.raises(KeyError) as gone:
            layer.remove(ids)
        assert gone.value.index == 3 and gone.value.code == "not_found"
        with pytest.raises(ValueError, match="twice"):
            layer.remove([ids[1], ids[1]])
        with pytest.raises(ValueError, match="one box for each"):
            layer.move(ids[:2], before[:3])
        assert len(layer) == 19 and np.array_equal(layer.boxes(), np.delete(before, 3, axis=0))

    def test_refit_and_rebuild(self):
        layer = juxta.Layer(random_boxes(300, 2, 34))
        other = random_boxes(300, 2, 35)
        layer.refit(other)
        assert np.array_equal(layer.boxes(), other)
        with pytest.raises(ValueError):
            layer.refit(other[:299])
        layer.rebuild(other[:10])
        assert len(layer) == 10
        with pytest.raises(ValueError, match="D = 2"):
            layer.rebuild(random_boxes(5, 3, 36))
        assert len(layer) == 10

    def test_filters(self):
        layer = juxta.Layer(random_boxes(10, 2, 37), category=1)
        layer.set_filter(layer.ids([2, 3]), category=[4, 8], mask=0)
        assert layer.filters([1, 2, 3]).tolist() == [[1, 2**32 - 1], [4, 0], [8, 0]]
        for wrong in [2**32, -1, 1.5, "a"]:
            with pytest.raises((ValueError, TypeError)):
                layer.count([[0, 0], [1, 1]], mask=wrong)

    def test_save_and_load(self, tmp_path):
        for dims in [2, 3]:
            layer = juxta.Layer(random_boxes(100, dims, 38))
            layer.remove(layer.ids([5, 6]))
            layer.save(tmp_path / "a.layer")
            loaded = juxta.Layer.load(tmp_path / "a.layer")
            assert loaded.ndim == dims and np.array_equal(loaded.find_pairs(), layer.find_pairs())
            assert loaded.insert(random_boxes(1, dims, 39)).tolist() == layer.insert(random_boxes(1, dims, 39)).tolist()
        (tmp_path / "b.layer").write_bytes(b"nothing of ours")
        with pytest.raises(juxta.errors.CorruptFile):
            juxta.Layer.load(tmp_path / "b.layer")
        with pytest.raises(OSError):
            juxta.Layer.load(tmp_path / "c.layer")

    @pytest.mark.parametrize("quality", ["fast", "tight"])
    def test_quality_changes_no_answer(self, quality):
        boxes = random_boxes(500, 3, 40)
        layer = juxta.Layer(boxes, quality=quality)
        assert as_set(layer.find_pairs()) == {(i, j) for i, j in np.argwhere(overlap(boxes, boxes)) if i < j}
        with pytest.raises(ValueError, match="quality is 'best'"):
            juxta.Layer(boxes, quality="best")

    def test_input_is_neither_kept_nor_changed(self):
        boxes = random_boxes(100, 3, 41)
        before = boxes.copy()
        layer = juxta.Layer(boxes)
        boxes[:] = 0
        gc.collect()
        assert np.array_equal(layer.boxes(), before)

    def test_bad_boxes_name_the_index(self):
        boxes = random_boxes(100, 3, 42)
        boxes[17, 1, 2] = np.inf
        with pytest.raises(juxta.errors.NotFinite) as caught:
            juxta.Layer(boxes)
        assert caught.value.index == 17
        with pytest.raises(ValueError, match="boxes has shape"):
            juxta.Layer(np.zeros((4, 3)))
        with pytest.raises(ValueError, match="one box"):
            juxta.Layer([[0, 0], [1, 1]])


class TestVisitors:
    layer = juxta.Layer(random_boxes(2000, 2, 50))

    def test_batches_are_all_pairs(self):
        got = []
        found = self.layer.visit_pairs(got.append, batch=500)
        assert found == sum(pairs.shape[1] for pairs in got) and len(got) > 3
        assert np.array_equal(np.concatenate(got, axis=1), self.layer.find_pairs())

    def test_false_and_exceptions_stop(self):
        got = []
        self.layer.visit_pairs(lambda pairs: bool(got.append(pairs)), batch=1)
        assert len(got) == 1

        def fail(pairs):
            raise ZeroDivisionError("mine")

        with pytest.raises(ZeroDivisionError, match="mine"):
            self.layer.visit_pairs(fail)
        with pytest.raises(TypeError, match="visitor"):
            self.layer.visit_pairs(3)

    def test_a_visitor_may_ask_and_must_not_change(self):
        layer = juxta.Layer(random_boxes(500, 2, 51))
        layer.visit_pairs(lambda pairs: layer.count([[0, 0], [1, 1]]) >= 0)
        with pytest.raises(RuntimeError, match="another call is using"):
            layer.visit_pairs(lambda pairs: layer.rebuild(random_boxes(5, 2, 52)))
        assert len(layer) == 500

    def test_find_pairs_reports_and_stops(self):
        with pytest.raises(juxta.errors.Cancelled):
            self.layer.find_pairs(progress=lambda stage, done, total: False)

    def test_wrong_partners(self):
        with pytest.raises(ValueError, match="the layer itself"):
            self.layer.find_pairs(self.layer)
        with pytest.raises(ValueError, match="in 3D"):
            self.layer.find_pairs(juxta.Layer(random_boxes(5, 3, 53)))
        with pytest.raises(TypeError, match="other is"):
            self.layer.find_pairs(np.zeros(3))
        with pytest.raises(ValueError, match="only_other"):
            self.layer.find_pairs(only_other=np.ones(3, bool))


def test_pair_tracker():
    tracker = juxta.PairTracker()
    begun, ended = tracker.update(np.array([[1, 3, 8], [2, 7, 9]]))
    assert begun.tolist() == [[1, 3, 8], [2, 7, 9]] and ended.shape == (2, 0)
    events = tracker.update([[1, 4, 8], [2, 5, 9]])
    assert events.begun.tolist() == [[4], [5]] and events.ended.tolist() == [[3], [7]] and len(tracker) == 3
    layer = juxta.Layer(random_boxes(100, 2, 60))
    assert tracker.update(layer.find_pairs(dtype="uint32"), dtype="uint32").begun.dtype == np.uint32
    tracker.clear()
    assert len(tracker) == 0
    with pytest.raises(ValueError, match="pairs has shape"):
        tracker.update(np.zeros((3, 2), int))
    with pytest.raises(TypeError, match="pairs holds float64"):
        tracker.update(np.zeros((2, 2)))
    with pytest.raises(ValueError, match="not a range of indices"):
        tracker.update([[-2], [0]])

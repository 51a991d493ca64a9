// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Layer: which bodies overlap which. juxta.PairTracker.
#include <optional>
#include <string>

#include "call.h"
#include "juxta/layer/find_pairs.h"
#include "juxta/layer/pair_tracker.h"
#include "layer_object.h"
#include "layer_query_docs.h"
#include "options.h"
#include "outputs.h"
#include "results.h"

namespace juxta::python {
namespace {

// Both layers of a search for pairs, held while it runs; the second may be missing.
class PairLayers {
 public:
  PairLayers(const LayerObject& self, const py::object& other, const py::object& only,
             const py::object& only_other)
      : a_(self), reading_a_(self) {
    if (!other.is_none()) {
      if (!py::isinstance<LayerObject>(other)) {
        raise_type("other is " + std::string(py::repr(other)) + ". Give a juxta.Layer");
      }
      b_ = &other.cast<const LayerObject&>();
      reading_b_.emplace(*b_);
      check_other();
    } else if (!only_other.is_none()) {
      raise_value("only_other is given, but other is not");
    }
    only_.emplace(only, "only", capacity(a_));
    only_b_.emplace(only_other, "only_other", b_ == nullptr ? 0 : capacity(*b_));
  }

  [[nodiscard]] FindPairsOptions options(bool sorted) const {
    return {.sorted = sorted, .only = only_->bytes(), .only_b = only_b_->bytes()};
  }
  /// search(layer) or search(layer, other), of their dimension.
  template <class Search>
  auto with(Search&& search) const {
    return with_layer(a_, [&]<int D>(const BasicLayer<D>& a) {
      return b_ == nullptr ? search(a) : search(a, std::get<BasicLayer<D>>(b_->layer));
    });
  }
  /// Boxes of both: how much room to make for pairs at first.
  [[nodiscard]] std::size_t boxes() const {
    const auto size = [](const LayerObject& self) {
      return with_layer(self, [](const auto& layer) { return layer.size(); });
    };
    return size(a_) + (b_ == nullptr ? 0 : size(*b_));
  }

 private:
  static std::size_t capacity(const LayerObject& self) {
    return with_layer(self, [](const auto& layer) { return layer.capacity(); });
  }
  void check_other() const {
    if (b_ == &a_) {
      raise_value("other is the layer itself. Leave it out to find the pairs of one layer");
    }
    if (b_->dims() != a_.dims()) {
      raise_value("other has boxes in " + std::to_string(b_->dims()) + "D, and this layer in " +
                  std::to_string(a_.dims()) + "D");
    }
  }

  const LayerObject& a_;
  const LayerObject* b_ = nullptr;
  Reading reading_a_;
  std::optional<Reading> reading_b_;
  std::optional<OnlyIn> only_, only_b_;
};

// On one thread, pairs that need no sorting are handed over as they are found: nobody has to know how many
// there will be, and Ctrl-C stops the search.
Result<QueryResult> append_pairs(const PairLayers& layers, Buffer<Pair>& pairs, const Context& context) {
  bool going = true;
  const auto take = [&](std::span<const Pair> more) {
    pairs.append(more);
    going = context.monitor->on_progress("find pairs", pairs.size(), 0);
    return going;
  };
  const FindPairsOptions options = layers.options(false);
  Result<QueryResult> found =
      layers.with([&](const auto&... layer) { return visit_pairs(layer..., take, options, context); });
  if (found && !going) {
    return fail(ErrorCode::kCancelled, "the call was cancelled");
  }
  return found;
}

Result<QueryResult> fill_pairs(const PairLayers& layers, Buffer<Pair>& pairs, bool sorted,
                               const Context& context) {
  const FindPairsOptions options = layers.options(sorted);
  const auto find = [&] {
    return layers.with(
        [&](const auto&... layer) { return find_pairs(layer..., pairs.rest(), options, context); });
  };
  pairs.reserve(std::max<std::size_t>(4096, 6 * layers.boxes()));
  Result<QueryResult> found = find();
  if (found && found->found > found->written) {
    pairs.reserve(found->found);
    found = find();
  }
  if (found) {
    pairs.resize(found->written);
  }
  return found;
}

py::object find_pairs_of(const LayerObject& self, const py::object& other, bool sorted,
                         const py::object& only, const py::object& only_other, const py::object& dtype,
                         const py::object& threads, const py::object& progress) {
  const IndexType type = index_type_of(dtype);
  Call call(threads, progress);
  const PairLayers layers(self, other, only, only_other);
  return filled_pairs(type, call.executor(), [&](Buffer<Pair>& pairs) {
    call.run([&](const Context& context) {
      return context.executor == nullptr && !sorted ? append_pairs(layers, pairs, context)
                                                    : fill_pairs(layers, pairs, sorted, context);
    });
  });
}

std::size_t count_pairs(const LayerObject& self, const py::object& other, const py::object& only,
                        const py::object& only_other, const py::object& threads) {
  Call call(threads, py::none());
  const PairLayers layers(self, other, only, only_other);
  const FindPairsOptions options = layers.options(false);
  return call
      .run([&](const Context& context) {
        return layers.with(
            [&](const auto&... layer) { return find_pairs(layer..., std::span<Pair>(), options, context); });
      })
      .found;
}

// Gathers pairs until there are `batch`, and hands them to Python.
class PythonVisitor {
 public:
  PythonVisitor(const py::object& visitor, std::size_t batch, IndexType type)
      : visitor_(visitor), batch_(batch), type_(type) {}

  bool operator()(std::span<const Pair> pairs) {
    gathered_.append(pairs);
    return gathered_.size() < batch_ || hand_over();
  }
  bool hand_over() {
    if (gathered_.size() == 0) {
      return true;
    }
    const py::gil_scoped_acquire acquire;
    try {
      const py::object answer = visitor_(pair_array(std::exchange(gathered_, {}), type_, nullptr));
      return answer.ptr() != Py_False && PyErr_CheckSignals() == 0;
    } catch (py::error_already_set& error) {
      error.restore();  // Call raises it
      return false;
    }
  }

 private:
  const py::object& visitor_;
  std::size_t batch_;
  IndexType type_;
  Buffer<Pair> gathered_;
};

std::size_t visit_pairs_of(const LayerObject& self, const py::object& visitor, const py::object& other,
                           std::size_t batch, const py::object& only, const py::object& only_other,
                           const py::object& dtype) {
  if (PyCallable_Check(visitor.ptr()) == 0) {
    raise_type("visitor is not callable. It gets arrays (2, n) of pairs and may return False to stop");
  }
  PythonVisitor visit(visitor, batch, index_type_of(dtype));
  Call call(py::int_(1), py::none());
  const PairLayers layers(self, other, only, only_other);
  const FindPairsOptions options = layers.options(false);
  return call
      .run([&](const Context& context) {
        bool going = true;
        const auto take = [&](std::span<const Pair> pairs) { return going = visit(pairs); };
        auto found =
            layers.with([&](const auto&... layer) { return visit_pairs(layer..., take, options, context); });
        if (found && going) {
          (void)visit.hand_over();
        }
        return found;
      })
      .found;
}

// --- PairTracker ---

struct TrackerObject : Guarded {
  PairTracker tracker;
};

py::array copy_of(std::span<const Pair> pairs, IndexType type) {
  Buffer<Pair> copy;
  copy.append(pairs);
  return pair_array(std::move(copy), type, nullptr);
}

py::object update(TrackerObject& self, const py::object& input, const py::object& dtype,
                  const py::object& threads) {
  const Numbers<std::uint32_t> numbers(input, "pairs");
  if (numbers.ndim() != 2 || numbers.shape(0) != 2) {
    numbers.refuse_shape("Pairs are (2, n): a row of all a, a row of all b");
  }
  const IndexType type = index_type_of(dtype);
  const std::size_t count = numbers.shape(1);
  Buffer<Pair> pairs;
  pairs.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    pairs.span()[i] = {numbers.data()[i], numbers.data()[count + i]};
  }
  Call call(threads, py::none());
  const Writing writing(self);
  call.run([&](const Context& context) { return self.tracker.update(pairs.span(), context); });
  return result(ResultType::kPairEvents, copy_of(self.tracker.begun(), type),
                copy_of(self.tracker.ended(), type));
}

}  // namespace

void bind_layer_pairs(py::class_<LayerObject>& layer) {
  using py::arg;
  const auto none = py::none();
  layer
      .def("find_pairs", &find_pairs_of, arg("other") = none, py::kw_only(), arg("sorted") = false,
           arg("only") = none, arg("only_other") = none, arg("dtype") = none, arg("threads") = none,
           arg("progress") = none, docs::kLayerFindPairs)
      .def("count_pairs", &count_pairs, arg("other") = none, py::kw_only(), arg("only") = none,
           arg("only_other") = none, arg("threads") = none, docs::kLayerCountPairs)
      .def("visit_pairs", &visit_pairs_of, arg("visitor"), arg("other") = none, py::kw_only(),
           arg("batch") = 65536, arg("only") = none, arg("only_other") = none, arg("dtype") = none,
           docs::kLayerVisitPairs);
}

void bind_pair_tracker(py::module_& module) {
  using py::arg;
  py::class_<TrackerObject>(module, "PairTracker", docs::kPairTracker)
      .def(py::init<>(), "An empty tracker: the first update begins all of its pairs.")
      .def("update", &update, arg("pairs"), py::kw_only(), arg("dtype") = py::none(),
           arg("threads") = py::none(), docs::kPairTrackerUpdate)
      .def(
          "clear",
          [](TrackerObject& self) {
            const Writing writing(self);
            self.tracker.clear();
          },
          "Forgets every pair: the next update begins all of its own.")
      .def("__len__", [](const TrackerObject& self) {
        const Reading reading(self);
        return self.tracker.pairs().size();
      });
}

}  // namespace juxta::python

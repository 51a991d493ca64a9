// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "outputs.h"

#include <string>

#include "errors.h"

namespace juxta::python {
namespace {

static_assert(sizeof(py::ssize_t) == sizeof(std::int64_t), "intp is taken to have 64 bits");

constexpr std::size_t kGrain = std::size_t{1} << 16;

std::int64_t wide(std::uint32_t body) {
  return body == kNoBody ? -1 : std::int64_t{body};
}

void widen(std::span<const std::uint32_t> bodies, std::int64_t* out, const Executor* executor) {
  const py::gil_scoped_release release;
  executor_or_serial(executor).parallel_for(bodies.size(), kGrain, [&](std::size_t first, std::size_t last) {
    std::transform(bodies.begin() + static_cast<std::ptrdiff_t>(first),
                   bodies.begin() + static_cast<std::ptrdiff_t>(last), out + first, wide);
  });
}

// Both rows at once, as 16 bytes a pair: the limit is memory, which takes as long for one row after the
// other, and longer for stores past the caches.
void widen_pairs(std::span<const Pair> pairs, std::int64_t* a, std::int64_t* b) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    a[i] = std::int64_t{pairs[i].a};
    b[i] = std::int64_t{pairs[i].b};
  }
}

// new_array() of a few elements. pybind11 would make vectors of sizes and strides.
template <class T>
py::array_t<T> small_row(std::size_t size) {
  constexpr std::size_t kMostSmall = 1024;
  if (size > kMostSmall) {
    return new_array<T>(size);
  }
  const auto& api = py::detail::npy_api::get();
  const auto length = static_cast<Py_intptr_t>(size);
  PyObject* const made = api.PyArray_NewFromDescr_(api.PyArray_Type_, py::dtype::of<T>().release().ptr(), 1,
                                                   &length, nullptr, nullptr, 0, nullptr);
  if (made == nullptr) {
    throw py::error_already_set();
  }
  return py::reinterpret_steal<py::array_t<T>>(made);
}

}  // namespace

IndexType index_type_of(py::handle dtype) {
  if (dtype.is_none()) {
    return IndexType::kIntp;
  }
  if (PyUnicode_Check(dtype.ptr()) != 0) {  // np.dtype() takes a microsecond
    if (PyUnicode_CompareWithASCIIString(dtype.ptr(), "uint32") == 0) {
      return IndexType::kUint32;
    }
    if (PyUnicode_CompareWithASCIIString(dtype.ptr(), "intp") == 0) {
      return IndexType::kIntp;
    }
  }
  const py::dtype asked = py::dtype::from_args(py::reinterpret_borrow<py::object>(dtype));
  if (asked.kind() == 'i' && asked.itemsize() == 8) {
    return IndexType::kIntp;
  }
  if (asked.kind() == 'u' && asked.itemsize() == 4) {
    return IndexType::kUint32;
  }
  raise_value("dtype is " + std::string(py::str(py::handle(asked))) + ". Indices are \"intp\" or \"uint32\"");
}

py::array index_array(std::span<const std::uint32_t> bodies, IndexType type) {
  if (type == IndexType::kUint32) {
    auto array = small_row<std::uint32_t>(bodies.size());
    std::copy(bodies.begin(), bodies.end(), array.mutable_data());
    return array;
  }
  auto array = small_row<std::int64_t>(bodies.size());
  std::transform(bodies.begin(), bodies.end(), array.mutable_data(), wide);
  return array;
}

py::array index_array(Buffer<std::uint32_t>&& bodies, std::size_t rows, IndexType type,
                      const Executor* executor) {
  const std::size_t columns = rows == 0 ? 0 : bodies.size() / rows;
  const auto height = static_cast<py::ssize_t>(rows), width = static_cast<py::ssize_t>(columns);
  if (type == IndexType::kUint32) {
    return std::move(bodies).into_array<std::uint32_t>({height, width}, {width * 4, 4});
  }
  auto array = new_array<std::int64_t>(rows, columns);
  widen(bodies.span(), array.mutable_data(), executor);
  return array;
}

py::array index_row(Buffer<std::uint32_t>&& bodies, IndexType type, const Executor* executor) {
  if (type == IndexType::kUint32) {
    return std::move(bodies).into_array();
  }
  auto array = new_array<std::int64_t>(bodies.size());
  widen(bodies.span(), array.mutable_data(), executor);
  return array;
}

py::array pair_array(Buffer<Pair>&& pairs, IndexType type, const Executor* executor) {
  const auto count = static_cast<py::ssize_t>(pairs.size());
  if (type == IndexType::kUint32) {
    return std::move(pairs).into_array<std::uint32_t>({2, count}, {4, 8});
  }
  return wide_pairs(pairs.span(), executor);
}

py::array wide_pairs(std::span<const Pair> pairs, const Executor* executor) {
  auto array = new_array<std::int64_t>(2, pairs.size());
  std::int64_t* const a = array.mutable_data();
  std::int64_t* const b = a + pairs.size();
  const py::gil_scoped_release release;
  executor_or_serial(executor).parallel_for(pairs.size(), kGrain, [&](std::size_t first, std::size_t last) {
    widen_pairs(pairs.subspan(first, last - first), a + first, b + first);
  });
  return array;
}

namespace {
Buffer<Pair>& kept_pairs() {
  static thread_local Buffer<Pair> kept;
  return kept;
}
}  // namespace

KeptPairs::KeptPairs() : pairs_(std::exchange(kept_pairs(), {})) {}

KeptPairs::~KeptPairs() {
  constexpr std::size_t kMostKept = std::size_t{1} << 22;  // 32 MiB
  Buffer<Pair>& kept = kept_pairs();
  if (pairs_.capacity() <= kMostKept && pairs_.capacity() > kept.capacity()) {
    pairs_.resize(0);
    kept = std::move(pairs_);
  }
}

}  // namespace juxta::python

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
    return array_of(bodies);
  }
  auto array = new_array<std::int64_t>(bodies.size());
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
  auto array = new_array<std::int64_t>(2, count);
  std::int64_t* const a = array.mutable_data();
  std::int64_t* const b = a + count;
  const std::span<const Pair> all = pairs.span();
  const py::gil_scoped_release release;
  executor_or_serial(executor).parallel_for(all.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      a[i] = std::int64_t{all[i].a};
      b[i] = std::int64_t{all[i].b};
    }
  });
  return array;
}

}  // namespace juxta::python

// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "options.h"

#include <string>

#include "errors.h"
#include "juxta/layer/pair.h"

namespace juxta::python {
namespace {

constexpr std::uint32_t kAll = ~std::uint32_t{0};

std::uint32_t bits_of(py::handle value, const char* name) {
  if (value.is_none()) {
    return kAll;
  }
  if (PyIndex_Check(value.ptr()) == 0) {
    raise_type(std::string(name) + " is " + std::string(py::repr(value)) + ". Give a number of 32 bits");
  }
  const py::int_ number = py::reinterpret_steal<py::int_>(PyNumber_Index(value.ptr()));
  const unsigned long long bits = PyLong_AsUnsignedLongLong(number.ptr());
  if (PyErr_Occurred() != nullptr || bits > kAll) {
    PyErr_Clear();
    raise_value(std::string(name) + " is " + std::string(py::repr(value)) + ". Give 0 to 2**32 - 1");
  }
  return static_cast<std::uint32_t>(bits);
}

// The bits of each of `count` bodies, into one field of the filters.
void spread_bits(py::handle value, const char* name, std::vector<Filter>& filters,
                 std::uint32_t Filter::*field) {
  if (value.is_none() || PyLong_Check(value.ptr()) != 0) {
    const std::uint32_t bits = bits_of(value, name);
    for (Filter& filter : filters) {
      filter.*field = bits;
    }
    return;
  }
  const Numbers<std::uint32_t> numbers(value, name);
  if (numbers.ndim() != 1 || numbers.shape(0) != filters.size()) {
    numbers.refuse_shape("Give one number, or one for each of the " + std::to_string(filters.size()) +
                         " boxes");
  }
  for (std::size_t i = 0; i < filters.size(); ++i) {
    filters[i].*field = numbers.data()[i];
  }
}

}  // namespace

OnlyIn::OnlyIn(py::handle value, const char* name, std::size_t capacity) {
  if (value.is_none()) {
    return;
  }
  const py::array array = array_of_numbers(value, name);
  if (array.dtype().kind() != 'b') {
    raise_type(std::string(name) + " holds " + std::string(py::str(array.dtype())) +
               ". Give an array of bool with one entry for each body");
  }
  if (array.ndim() != 1 || static_cast<std::size_t>(array.shape(0)) != capacity) {
    raise_value(std::string(name) + " has shape " + shape_text(array) + ". Give one bool for each body: (" +
                std::to_string(capacity) + ",)");
  }
  owner_ = py::array_t<bool, py::array::c_style | py::array::forcecast>(array);
  bytes_ = {static_cast<const std::uint8_t*>(owner_.data()), capacity};
}

Filter filter_of(py::handle category, py::handle mask) {
  return {bits_of(category, "category"), bits_of(mask, "mask")};
}

std::vector<Filter> filters_of(py::handle category, py::handle mask, std::size_t count) {
  if (category.is_none() && mask.is_none()) {
    return {};
  }
  std::vector<Filter> filters(count);
  spread_bits(category, "category", filters, &Filter::category);
  spread_bits(mask, "mask", filters, &Filter::mask);
  return filters;
}

Narrowing::Narrowing(py::handle skip, py::handle only, py::handle category, py::handle mask,
                     std::size_t capacity)
    : filter_(filter_of(category, mask)),
      only_(only, "only", capacity),
      takes_one_{only_.bytes()},
      takes_many_{only_.bytes()} {
  if (skip.is_none()) {
    return;
  }
  if (PyLong_CheckExact(skip.ptr()) != 0) {
    const long long body = PyLong_AsLongLong(skip.ptr());
    if (PyErr_Occurred() != nullptr || body < -1 || body > static_cast<long long>(kNoBody)) {
      PyErr_Clear();
      raise_value("skip is " + std::string(py::repr(skip)) + ", which is no number of a body");
    }
    skip_one_ = static_cast<std::uint32_t>(body);
    skip_is_one_ = true;
    skipped_ = {&skip_one_, 1};
    return;
  }
  const Numbers<std::uint32_t>& numbers = skip_.emplace(skip, "skip");
  if (numbers.ndim() > 1) {
    numbers.refuse_shape("Give one number of a body, or several: (n,)");
  }
  skip_is_one_ = numbers.ndim() == 0;
  skipped_ = numbers.span();
}

QueryOptions Narrowing::one() const {
  QueryOptions options{.filter = filter_, .ignore = skipped_};
  if (only_.bytes().data() != nullptr) {
    options.accept = takes_one_;
  }
  return options;
}

BatchOptions Narrowing::many(std::size_t count, bool sorted) {
  BatchOptions options{.filter = filter_, .ignore = skipped_, .sorted = sorted};
  if (only_.bytes().data() != nullptr) {
    options.accept = takes_many_;
  }
  if (skip_is_one_) {
    spread_.assign(count, skipped_[0]);
    options.ignore = spread_;
  } else if (skip_ && skipped_.size() != count) {
    skip_->refuse_shape("Give one number of a body, or one for each of the " + std::to_string(count) +
                        " queries (-1: none)");
  }
  return options;
}

BatchOptions Narrowing::part(const BatchOptions& all, std::size_t first, std::size_t last) {
  BatchOptions options = all;
  if (!all.ignore.empty()) {
    options.ignore = all.ignore.subspan(first, last - first);
  }
  return options;
}

}  // namespace juxta::python

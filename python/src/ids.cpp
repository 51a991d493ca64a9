// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "ids.h"

#include <algorithm>
#include <string>
#include <vector>

#include "errors.h"

namespace juxta::python {

IdsIn::IdsIn(py::handle value, const char* name) : numbers_(value, name) {
  if (numbers_.ndim() > 1) {
    numbers_.refuse_shape("Give one id, or several: (n,)");
  }
}

void IdsIn::check_distinct() const {
  std::vector<std::uint64_t> sorted(numbers_.span().begin(), numbers_.span().end());
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end()) {
    raise_value(std::string(numbers_.name()) + " holds " + std::to_string(*twice) + " twice");
  }
}

py::array_t<std::uint64_t> id_array(std::span<const Id> ids) {
  auto out = new_array<std::uint64_t>(ids.size());
  std::transform(ids.begin(), ids.end(), out.mutable_data(), [](Id id) { return number_of(id); });
  return out;
}

Error dead_id(Id id, std::size_t index, bool single) {
  return {.code = ErrorCode::kNotFound,
          .message = "id " + std::to_string(number_of(id)) +
                     " names nothing that is alive: it was removed, or was never there",
          .index = single ? Error::kNowhere : index};
}

}  // namespace juxta::python

// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: which columns of an interaction are filled with Ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "juxta/agents/detail/check_rules.h"
#include "juxta/agents/detail/fields.h"

namespace juxta::agents_detail {
inline namespace JUXTA_LANES_NAMESPACE {

/// Which of the totals are Ids: bit i for the i-th.
template <class Found>
[[nodiscard]] std::uint32_t id_totals() noexcept {
  std::uint32_t ids = 0;
  Found found{};
  for_each_field(found, [&](std::size_t i, auto& field) {
    ids |= std::uint32_t{IdTotal<std::remove_reference_t<decltype(field)>>} << i;
  });
  return ids;
}

}  // namespace JUXTA_LANES_NAMESPACE
}  // namespace juxta::agents_detail

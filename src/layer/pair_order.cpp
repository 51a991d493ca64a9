// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "layer/pair_order.h"

#include <bit>
#include <cstdint>

#include "juxta/core/try.h"
#include "juxta/order/radix_sort.h"

namespace juxta::layer_detail {

Result<void> order_pairs(std::span<const Pair> pairs, std::span<Pair> to, Workspace& workspace,
                         const Executor* executor) {
  const Workspace::Scope scope(workspace);
  std::uint32_t used = 0;  // bits of any b
  for (const Pair& pair : pairs) {
    used |= pair.b;
  }
  const auto shift = static_cast<int>(std::bit_width(used));
  const std::uint64_t low = (std::uint64_t{1} << shift) - 1;
  const std::span<std::uint64_t> keys = workspace.take<std::uint64_t>(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    keys[i] = std::uint64_t{pairs[i].a} << shift | pairs[i].b;
  }
  JUXTA_TRY(sort_keys(keys, {.executor = executor, .workspace = &workspace}));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    to[i] = {static_cast<std::uint32_t>(keys[i] >> shift), static_cast<std::uint32_t>(keys[i] & low)};
  }
  return {};
}

}  // namespace juxta::layer_detail

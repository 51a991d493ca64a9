// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what a table of neighbours owns.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "juxta/core/array.h"
#include "points/list_memory.h"
#include "points/prepare.h"

namespace juxta::points_detail {

template <int D, class Real>
struct TableStore {
  explicit TableStore(std::pmr::memory_resource* resource)
      : others(resource), offsets(resource), list_of(resource), memory(resource) {
    clear();
  }

  void clear() {
    search = {};
    offsets.resize_discard(1);
    offsets[0] = 0;
  }

  Search<D> search;  // refers to the tree, and to what follows
  Limit limit;       // of the tree's own points
  OtherSeers<D> others;
  NeighbourOptions options;
  Array<std::uint64_t> offsets;   // by number of the seer
  Array<std::uint32_t*> list_of;  // by lane of the seer
  ListMemory memory;
};

}  // namespace juxta::points_detail

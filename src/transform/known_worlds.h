// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: worlds of nodes that just got another parent, so that a chain that is hung together from the top
// does not look up its whole path again for each node.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

#include "juxta/math/qvvs.h"

namespace juxta::transform_detail {

/// Exact worlds (see exact_world()) of a few nodes that were written since the last propagation, by slot. Any
/// write to a node that has children makes all of them void.
class KnownWorlds {
 public:
  explicit KnownWorlds(std::pmr::memory_resource* resource) : entries_(resource) {}

  [[nodiscard]] bool any() const noexcept { return any_; }
  /// Null: not known.
  [[nodiscard]] const Qvvs* find(std::uint32_t slot) const noexcept {
    if (!any_) {
      return nullptr;
    }
    const Entry& entry = entries_[slot % kEntries];
    return entry.slot == slot && entry.age == age_ ? &entry.world : nullptr;
  }
  void put(std::uint32_t slot, const Qvvs& world) {
    if (entries_.empty()) {
      entries_.resize(kEntries);
    }
    entries_[slot % kEntries] = {world, slot, age_};
    any_ = true;
  }
  void forget(std::uint32_t slot) noexcept {
    if (any_ && entries_[slot % kEntries].slot == slot) {
      entries_[slot % kEntries].age = 0;
    }
  }
  void forget() noexcept {
    age_ += any_ ? 1 : 0;
    any_ = false;
  }

 private:
  static constexpr std::uint32_t kEntries = 1024;
  struct Entry {
    Qvvs world;
    std::uint32_t slot = 0;
    std::uint64_t age = 0;
  };

  std::pmr::vector<Entry> entries_;
  std::uint64_t age_ = 1;
  bool any_ = false;
};

}  // namespace juxta::transform_detail

// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Which nodes were destroyed after a version.
#include <algorithm>
#include <string>

#include "juxta/transform/hierarchy.h"
#include "transform/store.h"

namespace juxta {
using transform_detail::Destroyed;
using transform_detail::HierarchyStore;

namespace {

Result<void> need_destroyed(const HierarchyStore& store, const char* call) {
  return store.keeps_destroyed
             ? Result<void>()
             : fail(ErrorCode::kInvalidArgument,
                    std::string(call) +
                        ": this hierarchy does not keep the Ids of destroyed nodes; make it "
                        "with HierarchyOptions::destroyed");
}

/// The first one that was destroyed in a version above `version`.
auto first_after(const HierarchyStore& store, std::uint64_t version) {
  return std::partition_point(store.destroyed.begin(), store.destroyed.end(),
                              [&](const Destroyed& one) { return one.version <= version; });
}

}  // namespace

Result<void> Hierarchy::destroyed_since(std::uint64_t version, FunctionRef<void(Id)> visit) const {
  const HierarchyStore& store = *store_;
  return need_destroyed(store, "destroyed_since").and_then([&]() -> Result<void> {
    if (version < store.forgotten) {
      return fail(ErrorCode::kInvalidArgument,
                  "destroyed_since: version " + std::to_string(version) +
                      " is asked for, but what was destroyed up to version " +
                      std::to_string(store.forgotten) +
                      " is forgotten; read everything with changed_since(0), and forget less");
    }
    for (auto at = first_after(store, version); at != store.destroyed.end() && at->version <= store.version;
         ++at) {
      visit(at->id);
    }
    return {};
  });
}

Result<void> Hierarchy::forget_destroyed(std::uint64_t version) {
  HierarchyStore& store = *store_;
  return need_destroyed(store, "forget_destroyed").map([&] {
    // What no propagate() told of yet has a version above all.
    const std::uint64_t told = std::min<std::uint64_t>(version, store.version);
    store.forgotten = std::max(store.forgotten, static_cast<std::uint32_t>(told));
    store.destroyed.erase(store.destroyed.begin(), first_after(store, store.forgotten));
  });
}

}  // namespace juxta

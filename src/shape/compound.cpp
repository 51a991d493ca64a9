// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <limits>
#include <utility>
#include <vector>

#include "juxta/shape/parts.h"
#include "shape/parts_store.h"

namespace juxta {

Compound::Compound(Owned<shape_detail::CompoundStore> store) noexcept : store_(std::move(store)) {}

Result<Compound> Compound::build(std::span<const Part> parts) {
  if (parts.empty()) {
    return fail(ErrorCode::kInvalidArgument, "a compound needs at least one part");
  }
  if (parts.size() > std::numeric_limits<std::uint32_t>::max() - 1) {
    return fail(ErrorCode::kTooLarge, "a compound has at most 2^32 - 2 parts");
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].shape.kind() == ShapeKind::kCompound) {
      return fail(ErrorCode::kInvalidArgument,
                  "a part of a compound cannot be a compound itself; add its parts", i);
    }
    if (Result<void> good = check_shape(parts[i].shape, parts[i].at); !good) {
      good.error().index = i;
      return tl::unexpected<Error>(std::move(good.error()));
    }
  }
  auto store = make_owned<shape_detail::CompoundStore>();
  store->parts.assign(parts.begin(), parts.end());
  store->bounds.reserve(parts.size());
  for (const Part& part : parts) {
    store->bounds.push_back(bounds_of(part.shape, part.at));
  }
  return Compound(std::move(store));
}

std::span<const Compound::Part> Compound::parts() const noexcept {
  return store_->parts;
}

}  // namespace juxta

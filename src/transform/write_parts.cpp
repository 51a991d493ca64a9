// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Parts of local transforms: rotations and scales are set, positions and rotations are added to. Bulk calls
// check everything first; a sum that is not finite is found while writing, and all goes back.
#include <cmath>
#include <string>

#include "juxta/core/try.h"
#include "juxta/transform/hierarchy.h"
#include "transform/propagation.h"
#include "transform/store.h"
#include "transform/write_rows.h"

namespace juxta {

using transform_detail::HierarchyStore;
using transform_detail::kAhead;
using transform_detail::kTileRows;
using transform_detail::Row;
using transform_detail::Tile;

namespace {

/// A rotation as the store keeps it: of length 1.
Result<Quat> checked_rotation(Quat rotation, Id id, std::uint64_t index) {
  return transform_detail::checked({.rotation = rotation}, id, index).map([](const LocalTransform& kept) {
    return kept.rotation;
  });
}

/// Nothing to refuse, nothing to normalise: by far the most are so, and a Result for each would cost more
/// than the rest.
bool has_length_1(Quat rotation) noexcept {
  const float squared = length_squared(rotation);
  return squared > transform_detail::kLeastSquare && squared < transform_detail::kMostSquare;
}

/// What parts that are rotations have in common.
struct RotationPart {
  using Value = Quat;
  static bool is_fine(Quat value) noexcept { return has_length_1(value); }
  static constexpr bool kMayFail = false;
  static Result<Quat> checked(Quat value, Id id, std::uint64_t index) {
    return checked_rotation(value, id, index);
  }
};

struct SetRotation : RotationPart {
  static constexpr const char* kLengths = "set_rotation: rotations is not as long as ids";
  static bool write(LocalTransform& local, Quat value) noexcept {
    local.rotation = value;
    return true;
  }
};

struct RotateBy : RotationPart {
  static constexpr const char* kLengths = "rotate_by: by is not as long as ids";
  static bool write(LocalTransform& local, Quat value) noexcept {
    local.rotation = renormalized(value * local.rotation);
    return true;
  }
};

struct SetScale {
  using Value = float;
  static bool is_fine(float value) noexcept { return value > 0 && std::isfinite(value); }
  static constexpr const char* kLengths = "set_scale: scales is not as long as ids";
  static constexpr bool kMayFail = false;
  static Result<float> checked(float value, Id id, std::uint64_t index) {
    if (!std::isfinite(value)) {
      return transform_detail::fail_at(ErrorCode::kNotFinite, id, "its scale is NaN or an infinity", index);
    }
    return transform_detail::checked({.scale = value}, id, index).map([](const LocalTransform& kept) {
      return kept.scale;
    });
  }
  static bool write(LocalTransform& local, float value) noexcept {
    local.scale = value;
    return true;
  }
};

struct TranslateBy {
  using Value = Vec3;
  static bool is_fine(Vec3 value) noexcept { return is_finite(value); }
  static constexpr const char* kLengths = "translate_by: by is not as long as ids";
  static constexpr bool kMayFail = true;
  static constexpr const char* kFailed = "its position would no longer be finite";
  static Result<Vec3> checked(Vec3 value, Id id, std::uint64_t index) {
    if (!is_finite(value)) {
      return transform_detail::fail_at(ErrorCode::kNotFinite, id, "its move holds NaN or an infinity", index);
    }
    return value;
  }
  static bool write(LocalTransform& local, Vec3 value) noexcept {
    local.position = local.position + value;
    return is_finite(local.position);
  }
};

/// A row as it was before it was written.
struct PartBefore {
  LocalTransform local;
  bool pending, written;
};

PartBefore remember_part(const Tile& tile, std::uint32_t r) noexcept {
  return {tile.local_at(r), tile.pending.test(r), tile.written.test(r)};
}

void restore_part(Tile& tile, std::uint32_t r, const PartBefore& before) noexcept {
  tile.put_local(r, before.local);
  tile.pending.put(r, before.pending);
  tile.written.put(r, before.written);
}

/// False: it cannot be, and the node is as it was.
template <class Part>
bool write_part(HierarchyStore& store, Row row, typename Part::Value value) {
  Tile& tile = store.tile_of(row);
  const std::uint32_t r = row % kTileRows;
  // The rest of a local transform with flags may be out of date.
  LocalTransform local =
      tile.special().test(r) ? transform_detail::exact_local(store, row) : tile.local_at(r);
  if (!Part::write(local, value)) {
    return false;
  }
  tile.put_local(r, local);
  store.known.forget();
  transform_detail::mark_row(tile, r);
  if (!tile.dirty) {
    store.mark_tile(row / kTileRows);
  }
  return true;
}

template <class Part>
Result<void> write_one(HierarchyStore& store, Id id, typename Part::Value value) {
  JUXTA_TRY_LET(const Row row, row_of(store, id));
  JUXTA_TRY_LET(const auto kept, Part::checked(value, id, Error::kNowhere));
  if (!write_part<Part>(store, row, kept)) {
    if constexpr (Part::kMayFail) {
      return transform_detail::fail_at(ErrorCode::kNotFinite, id, Part::kFailed);
    }
  }
  return {};
}

template <class Part>
Result<void> write_many(HierarchyStore& store, std::span<const Id> ids,
                        std::span<const typename Part::Value> values) {
  if (ids.size() != values.size()) {
    return fail(ErrorCode::kInvalidArgument, Part::kLengths);
  }
  const Workspace::Scope scope(store.scratch);
  const auto rows = store.scratch.take<Row>(ids.size());
  const auto kept = store.scratch.take<typename Part::Value>(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    transform_detail::prefetch_slot(store, ids, i + kAhead);
    if (!store.alive(ids[i])) {
      return tl::unexpected(row_of(store, ids[i], i).error());
    }
    rows[i] = store.slots[ids[i].slot].row;
    kept[i] = values[i];
    if (!Part::is_fine(values[i])) {
      JUXTA_TRY_LET(kept[i], Part::checked(values[i], ids[i], i));
    }
  }
  const auto undo = store.scratch.take<PartBefore>(Part::kMayFail ? ids.size() : 0);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i + kAhead < ids.size()) {
      transform_detail::prefetch_row(store.tile_of(rows[i + kAhead]), rows[i + kAhead] % kTileRows);
    }
    if constexpr (Part::kMayFail) {
      undo[i] = remember_part(store.tile_of(rows[i]), rows[i] % kTileRows);
    }
    if (write_part<Part>(store, rows[i], kept[i])) {
      continue;
    }
    if constexpr (Part::kMayFail) {
      for (std::size_t j = i; j-- > 0;) {
        restore_part(store.tile_of(rows[j]), rows[j] % kTileRows, undo[j]);
      }
      return transform_detail::fail_at(ErrorCode::kNotFinite, ids[i], Part::kFailed, i);
    }
  }
  return {};
}

}  // namespace

Result<void> Hierarchy::set_rotation(Id id, Quat rotation) {
  return write_one<SetRotation>(*store_, id, rotation);
}
Result<void> Hierarchy::set_rotation(std::span<const Id> ids, std::span<const Quat> rotations) {
  return write_many<SetRotation>(*store_, ids, rotations);
}
Result<void> Hierarchy::set_scale(Id id, float scale) {
  return write_one<SetScale>(*store_, id, scale);
}
Result<void> Hierarchy::set_scale(std::span<const Id> ids, std::span<const float> scales) {
  return write_many<SetScale>(*store_, ids, scales);
}
Result<void> Hierarchy::translate_by(Id id, Vec3 by) {
  return write_one<TranslateBy>(*store_, id, by);
}
Result<void> Hierarchy::translate_by(std::span<const Id> ids, std::span<const Vec3> by) {
  return write_many<TranslateBy>(*store_, ids, by);
}
Result<void> Hierarchy::rotate_by(Id id, Quat by) {
  return write_one<RotateBy>(*store_, id, by);
}
Result<void> Hierarchy::rotate_by(std::span<const Id> ids, std::span<const Quat> by) {
  return write_many<RotateBy>(*store_, ids, by);
}

}  // namespace juxta

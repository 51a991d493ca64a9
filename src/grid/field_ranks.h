// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a field whose cells are on several ranks.
//
//   slabs     0 1 2 3 4 5 6 7 8 9    rows in 2D, planes in 3D
//   rank 0   [0 1 2 3]+ +            Each rank owns a run of slabs. For a call it fetches the slabs of others
//   rank 1      + +[4 5 6]+ +        that it reads (+): halos for diffusion, those around its points for
//   rank 2           + +[7 8 9]      sample() and gradient().
//
// Every rank reserves memory for all slabs, so that a cell has one number everywhere and kernels know nothing
// of ranks. Pages that a rank never touches cost it nothing but addresses (FieldParts::build_unset()).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/core/ranks.h"

namespace juxta {
class Field;
struct FieldOptions;

namespace grid_detail {
struct FieldStore;

/// Slabs [first, last). In periodic fields they may begin before 0 or end behind the last one; they are at
/// most as many as there are.
struct Slabs {
  std::int64_t first = 0, last = 0;
};

struct SlabsOfRank {
  Slabs slabs;
  std::uint32_t rank = 0;
};

struct FieldRanks {
  Ranks& ranks;
  std::vector<SlabsOfRank> owners;  // of all slabs, ascending

  /// What this rank owns, once it is one run.
  [[nodiscard]] Slabs own() const noexcept { return owners[ranks.rank()].slabs; }
};

/// The even cut: rank r of `ranks` has these slabs.
[[nodiscard]] Slabs even_slabs(std::int64_t slabs, std::uint32_t rank, std::uint32_t ranks) noexcept;

/// Brings slabs of other ranks here, for components [first, last). Each rank wants others. Collective.
[[nodiscard]] Result<void> fetch(const FieldStore& store, Slabs wanted, std::uint32_t first,
                                 std::uint32_t last);
/// The slabs of this rank, and `margin` on both sides of them.
[[nodiscard]] Slabs with_margin(const FieldStore& store, Slabs slabs, std::int64_t margin) noexcept;

/// For Simulation, which has fields over ranks.
struct FieldParts {
  [[nodiscard]] static FieldStore& of(Field& field) noexcept;
  [[nodiscard]] static const FieldStore& of(const Field& field) noexcept;
  /// As Field::build(), of options that check_options() took, without setting the values.
  [[nodiscard]] static Result<Field> build_unset(const FieldOptions& options,
                                                 std::pmr::memory_resource* resource);
  /// The slabs that `owners` says are here, are: from now on each rank has the even cut. Collective.
  [[nodiscard]] static Result<void> join(Field& field, Ranks& ranks, std::vector<SlabsOfRank> owners);
  /// All values into a field of the same options on one rank. Collective.
  [[nodiscard]] static Result<void> gather_into(const Field& field, Field& whole, std::uint32_t rank);
};

}  // namespace grid_detail
}  // namespace juxta

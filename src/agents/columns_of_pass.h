// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the columns that a pass names.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "agents/store.h"
#include "juxta/agents/detail/sweep.h"
#include "juxta/core/error.h"
#include "juxta/core/try.h"

namespace juxta::agents_detail {

/// Columns by number: at most as many as an interaction can name.
class ColumnNumbers {
 public:
  void add(std::uint32_t column) noexcept { all_[size_++] = column; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint32_t operator[](std::size_t i) const noexcept { return all_[i]; }
  [[nodiscard]] auto begin() const noexcept { return all_.begin(); }
  [[nodiscard]] auto end() const noexcept { return all_.begin() + static_cast<std::ptrdiff_t>(size_); }
  [[nodiscard]] std::ptrdiff_t count(std::uint32_t column) const noexcept {
    return std::count(begin(), end(), column);
  }

 private:
  std::array<std::uint32_t, kMostColumns> all_{};
  std::size_t size_ = 0;
};

/// Looks up a column of floats by name; `what` begins the message ("see"). Errors: kNotFound,
/// kInvalidArgument.
[[nodiscard]] inline Result<std::uint32_t> find_float_column(const PopulationStore& store,
                                                             std::string_view name, std::string_view what) {
  const ColumnData* const column = store.find(name);
  if (column == nullptr) {
    return fail(ErrorCode::kNotFound, std::string(what) + ": '" + store.name + "' has no column '" +
                                          std::string(name) + "'; add it first, with add_columns()");
  }
  if (column->kind != ColumnKind::kFloat && column->kind != ColumnKind::kResult) {
    return fail(ErrorCode::kInvalidArgument, std::string(what) + ": column '" + std::string(name) + "' of '" +
                                                 store.name + "' does not hold floats");
  }
  return static_cast<std::uint32_t>(column - store.columns.data());
}

/// The same for several.
[[nodiscard]] inline Result<ColumnNumbers> find_columns(const PopulationStore& store,
                                                        std::span<const char* const> names,
                                                        std::string_view what) {
  ColumnNumbers found;
  for (const char* name : names) {
    JUXTA_TRY_LET(const std::uint32_t column, find_float_column(store, name, what));
    found.add(column);
  }
  return found;
}

}  // namespace juxta::agents_detail

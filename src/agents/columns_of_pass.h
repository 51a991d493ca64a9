// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the columns that a pass names.
#pragma once

#include <span>
#include <string>

#include "agents/store.h"
#include "juxta/core/error.h"

namespace juxta::detail {

/// Looks up columns of floats by name; `what` begins the message ("see"). Errors: kNotFound,
/// kInvalidArgument.
[[nodiscard]] inline Result<std::vector<std::uint32_t>> find_columns(const PopulationStore& store,
                                                                     std::span<const char* const> names,
                                                                     std::string_view what) {
  std::vector<std::uint32_t> found;
  found.reserve(names.size());
  for (const char* name : names) {
    const ColumnData* const column = store.find(name);
    if (column == nullptr) {
      return fail(ErrorCode::kNotFound, std::string(what) + ": '" + store.name + "' has no column '" + name +
                                            "'; add it first, with add_columns()");
    }
    if (column->kind != ColumnKind::kFloat && column->kind != ColumnKind::kResult) {
      return fail(ErrorCode::kInvalidArgument,
                  std::string(what) + ": column '" + name + "' of '" + store.name + "' does not hold floats");
    }
    found.push_back(static_cast<std::uint32_t>(column - store.columns.data()));
  }
  return found;
}

}  // namespace juxta::detail

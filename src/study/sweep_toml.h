// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what the parts of the sweep file's reader share.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "juxta/core/error.h"
#include "juxta/study/sweep.h"

namespace juxta::study_detail {

inline constexpr std::int64_t kMostSeed = std::int64_t{1} << 53;  // the table's numbers are whole up to here

/// A table's entries in the order of the file, which the first that varies depends on.
using Entry = std::pair<const toml::key*, const toml::node*>;
[[nodiscard]] std::vector<Entry> entries_of(const toml::table& table);
[[nodiscard]] std::string name_of(const Entry& entry);

/// Errors of a place: kParse with the line.
[[nodiscard]] tl::unexpected<Error> at_line(std::uint64_t line, std::string message);
[[nodiscard]] tl::unexpected<Error> at(const toml::node& node, std::string message);
[[nodiscard]] std::uint64_t line_of(const toml::node& node) noexcept;
[[nodiscard]] std::uint64_t line_of(const Entry& entry) noexcept;

/// Errors: kParse, at the first word that is not among `known`.
[[nodiscard]] Result<void> refuse_unknown(const toml::table& table,
                                          std::initializer_list<std::string_view> known);
/// Errors: kParse, when what varies stands in [set] too.
[[nodiscard]] Result<void> is_not_set(const toml::table& root, const Entry& entry);
[[nodiscard]] std::optional<double> number_in(const toml::node& node) noexcept;

/// A sample of the ranges under [vary], as `sample` says. Errors: kParse.
[[nodiscard]] Result<void> read_sample(const toml::table& root, std::span<const Entry> vary, Sweep& sweep);

}  // namespace juxta::study_detail

// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the words of a column of categories, and their bits.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace juxta::files_detail {

/// Gives each word a bit, in the order in which they come.
class CategoryWords {
 public:
  /// The bits of the words of a cell: "cafe; bar" has two. Nothing: there are 64 words already, and
  /// too_many() is one more.
  [[nodiscard]] std::optional<std::uint64_t> bits_of(std::string_view cell);
  [[nodiscard]] const std::string& too_many() const noexcept { return too_many_; }

  /// The word of each bit. If all are whole numbers from 0 to 63, each is the number of its bit: the masks
  /// that bits_of() gave are changed to these.
  [[nodiscard]] std::vector<std::string> finish(std::span<std::uint64_t> masks);

 private:
  std::vector<std::string> words_;
  std::string too_many_;
};

/// A whole number from 0 to 63, as one writes it.
[[nodiscard]] std::optional<unsigned> category_number(std::string_view word) noexcept;

}  // namespace juxta::files_detail

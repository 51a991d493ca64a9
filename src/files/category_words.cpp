// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "files/category_words.h"

#include <algorithm>
#include <bit>
#include <charconv>

#include "files/point_columns.h"

namespace juxta::files_detail {
namespace {

constexpr std::size_t kMost = 64;

}  // namespace

std::optional<unsigned> category_number(std::string_view word) noexcept {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  const bool whole = error == std::errc{} && end == word.data() + word.size();
  // "07" is a word: a file that has it and "7" has two.
  const bool plain = word.size() == 1 || (!word.empty() && word[0] != '0');
  return whole && plain && number < kMost ? std::optional(number) : std::nullopt;
}

std::optional<std::uint64_t> CategoryWords::bits_of(std::string_view cell) {
  std::uint64_t bits = 0;
  while (!cell.empty()) {
    const std::size_t end = std::min(cell.find_first_of(",;|"), cell.size());
    const std::string_view word = trimmed(cell.substr(0, end));
    cell.remove_prefix(std::min(end + 1, cell.size()));
    if (word.empty()) {
      continue;
    }
    const auto known = std::ranges::find(words_, word);
    const auto bit = static_cast<std::size_t>(known - words_.begin());
    if (bit == kMost) {
      too_many_ = word;
      return std::nullopt;
    }
    if (known == words_.end()) {
      words_.emplace_back(word);
    }
    bits |= std::uint64_t{1} << bit;
  }
  return bits;
}

std::vector<std::string> CategoryWords::finish(std::span<std::uint64_t> masks) {
  if (!std::ranges::all_of(words_,
                           [](const std::string& word) { return category_number(word).has_value(); })) {
    return std::move(words_);
  }
  std::vector<std::string> names;
  std::vector<unsigned> numbers;
  for (std::string& word : words_) {
    numbers.push_back(*category_number(word));
    names.resize(std::max<std::size_t>(names.size(), numbers.back() + 1));
    names[numbers.back()] = std::move(word);
  }
  for (std::uint64_t& mask : masks) {
    std::uint64_t moved = 0;
    for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1) {
      moved |= std::uint64_t{1} << numbers[static_cast<std::size_t>(std::countr_zero(rest))];
    }
    mask = moved;
  }
  return names;
}

}  // namespace juxta::files_detail

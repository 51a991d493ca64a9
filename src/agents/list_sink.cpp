// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <new>

#include "agents/lists_kernel.h"

namespace juxta::agents_detail {

bool KeptCandidates::add(const CandidateView& part) noexcept {
  const std::size_t before = rows_.size();
  try {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const auto& three = c < 3 ? part.position : c < 6 ? part.shift : part.extents;
      if (const float* const from = three[c % 3]; from != nullptr) {
        columns_[c].resize(before + part.count);
        std::copy_n(from, part.count, columns_[c].data() + before);
      }
    }
    rows_.resize(before + part.count);
    std::copy_n(part.rows, part.count, rows_.data() + before);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

CandidateView KeptCandidates::view() const noexcept {
  CandidateView all{};
  for (std::size_t a = 0; a < 3; ++a) {
    all.position[a] = columns_[a].data();
    all.shift[a] = columns_[3 + a].data();
    all.extents[a] = columns_[6 + a].data();
  }
  all.rows = rows_.data();
  all.count = rows_.size();
  return all;
}

void KeptCandidates::clear() noexcept {
  for (auto& column : columns_) {
    column.resize_discard(0);
  }
  rows_.resize_discard(0);
}

void copy_entries(const ListPlaces& from, std::size_t count, std::size_t dimensions, const ListPlaces& to,
                  std::size_t at) noexcept {
  const auto copy = [count, at](const auto* source, auto* target, std::size_t each) {
    if (target != nullptr) {
      std::copy_n(source, count * each, target + at * each);
    }
  };
  copy(from.rows, to.rows, 1);
  copy(from.pairs, to.pairs, 1);
  copy(from.distance2, to.distance2, 1);
  copy(from.distance, to.distance, 1);
  copy(from.displacement, to.displacement, dimensions);
}

}  // namespace juxta::agents_detail

// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "classics/ranked/record.h"
#include "juxta/math/rect.h"

namespace juxta::bench {

/// The right answers of the first queries of a workload, as input indices.
struct Answers {
  std::size_t k = 0;
  std::vector<std::uint32_t> counts;  ///< Of query i.
  std::vector<std::uint32_t> ids;     ///< Of query i from i * k on.
};

/// Asks `yardstick.top_ids` the first `queries` of `rects`.
template <class Yardstick>
Answers answers_of(const Yardstick& yardstick, std::span<const RectF> rects, std::size_t queries,
                   std::size_t k) {
  queries = std::min(queries, rects.size());
  Answers a{k, std::vector<std::uint32_t>(queries), std::vector<std::uint32_t>(queries * k)};
  for (std::size_t i = 0; i < queries; ++i) {
    a.counts[i] = static_cast<std::uint32_t>(yardstick.top_ids(rects[i], k, a.ids.data() + i * k));
  }
  return a;
}

/// Ends the program, naming `row` and the query, when an answer differs. `answer(i, out)` writes ids.
template <class Answer>
void check_ids(const std::string& row, const Answers& right, const Answer& answer);

/// The same for records, which must be those of the right ids in `points`.
template <class Answer>
void check_records(const std::string& row, const Answers& right, const classics::RankedColumns& points,
                   const Answer& answer);

/// One number for the answers, small enough to be exact in a double: equal for all contenders of a row.
[[nodiscard]] double checksum(const Answers& answers);

[[noreturn]] void wrong_answer(const std::string& row, std::size_t query);

template <class Answer>
void check_ids(const std::string& row, const Answers& right, const Answer& answer) {
  std::vector<std::uint32_t> out(right.k);
  for (std::size_t i = 0; i < right.counts.size(); ++i) {
    const std::size_t n = answer(i, out.data());
    if (n != right.counts[i] || !std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(n),
                                            right.ids.begin() + static_cast<std::ptrdiff_t>(i * right.k))) {
      wrong_answer(row, i);
    }
  }
}

[[nodiscard]] bool same_record(const classics::Record& got, const classics::RankedColumns& points,
                               std::uint32_t id) noexcept;

template <class Answer>
void check_records(const std::string& row, const Answers& right, const classics::RankedColumns& points,
                   const Answer& answer) {
  std::vector<classics::Record> out(right.k);
  for (std::size_t i = 0; i < right.counts.size(); ++i) {
    bool same = answer(i, out.data()) == right.counts[i];
    for (std::size_t j = 0; same && j < right.counts[i]; ++j) {
      same = same_record(out[j], points, right.ids[i * right.k + j]);
    }
    if (!same) {
      wrong_answer(row, i);
    }
  }
}

}  // namespace juxta::bench
